/// One message of a stream, where it stands in the body, and what is wrong with it.
package struct StreamMessage: Sendable, Equatable {
    /// What a message is.
    package enum Content: Sendable, Equatable {
        /// A server-sent event.
        case event(ServerSentEvent)
        /// A record of JSON lines or of a JSON text sequence.
        case record
        /// A length-prefixed message of gRPC, gRPC-Web or Connect.
        case frame(StreamFrame)
        /// Bytes that are none of these.
        case unread
    }

    /// Where it begins in the body, with content codings taken off.
    package var offset: Int
    /// How many bytes it has there, its framing included.
    package var length: Int
    /// Where its payload lies: the text of a record, the message in a frame.
    package var payload: Range<Int>
    /// What it is.
    package var content: Content
    /// Whether all of it is there.
    package var isComplete = true
    /// What is wrong with it, in a sentence.
    package var trouble: String?

    init(offset: Int, end: Int, payload: Range<Int>, content: Content) {
        self.offset = offset
        length = end - offset
        self.payload = payload
        self.content = content
    }
}

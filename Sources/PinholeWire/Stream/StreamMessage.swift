/// A message of a stream: its kind, its place in the body, and its fault if there is one.
package struct StreamMessage: Sendable, Equatable {
    /// The kind of a message.
    package enum Content: Sendable, Equatable {
        /// A server-sent event.
        case event(ServerSentEvent)
        /// A record of JSON lines or of a JSON text sequence.
        case record
        /// A length-prefixed message of gRPC, gRPC-Web or Connect.
        case frame(StreamFrame)
        /// Bytes that could not be read as one of these.
        case unread
    }

    /// The offset of the message in the body without content codings.
    package var offset: Int
    /// The number of bytes in the body, framing included.
    package var length: Int
    /// The range of the payload: the text of a record, or the message in a frame.
    package var payload: Range<Int>
    /// The kind of the message.
    package var content: Content
    /// Whether the whole message is in the body.
    package var isComplete = true
    /// The fault of the message in a sentence; `nil` if there is none.
    package var trouble: String?

    init(offset: Int, end: Int, payload: Range<Int>, content: Content) {
        self.offset = offset
        length = end - offset
        self.payload = payload
        self.content = content
    }
}

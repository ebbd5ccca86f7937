package import PinholeModel
package import PinholeWire

/// One message of a stream, read.
package struct StreamEntry {
    /// What a message says.
    package enum Content {
        /// A server-sent event.
        case event(ServerSentEvent)
        /// A JSON value, as it was written.
        case json(String)
        /// A message of Protocol Buffers.
        case protobuf([ProtobufMember])
        /// The trailers of gRPC-Web.
        case trailers(HeaderFields)
        /// A text.
        case text(String)
        /// Anything else.
        case bytes([UInt8])
    }

    /// Which body it stands in.
    package let owner: BodyOwner
    /// `event`, `record`, `message`, `trailers`, `endOfStream`, `piece` or `unread`.
    package let kind: String
    /// Where it begins in the body, with content codings taken off.
    package let offset: Int
    /// How many bytes it has there, its framing included.
    package let length: Int
    /// When its last byte was there.
    package let time: Timestamp
    /// What it says.
    package var content: Content
    /// The coding with which it was compressed alone.
    package var compression: String?
    /// Whether all of it is there.
    package var isComplete = true
    /// What is wrong with it.
    package var trouble: String?

    /// Bytes that are a text, or just bytes.
    static func plain(_ bytes: some Collection<UInt8>) -> Content {
        String(validating: bytes, as: UTF8.self).map(Content.text) ?? .bytes(Array(bytes))
    }
}

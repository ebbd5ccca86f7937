import PinholeModel
import PinholeWire

/// One message of a stream, read.
struct StreamEntry {
    /// What a message says.
    enum Content {
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
    let owner: BodyOwner
    /// `event`, `record`, `message`, `trailers`, `endOfStream`, `piece` or `unread`.
    let kind: String
    /// Where it begins in the body, with content codings taken off.
    let offset: Int
    /// How many bytes it has there, its framing included.
    let length: Int
    /// When its last byte was there.
    let time: Timestamp
    /// What it says.
    var content: Content
    /// The coding with which it was compressed alone.
    var compression: String?
    /// Whether all of it is there.
    var isComplete = true
    /// What is wrong with it.
    var trouble: String?

    /// Bytes that are a text, or just bytes.
    static func plain(_ bytes: some Collection<UInt8>) -> Content {
        String(validating: bytes, as: UTF8.self).map(Content.text) ?? .bytes(Array(bytes))
    }
}

package import PinholeModel
package import PinholeWire

/// A decoded message of a stream.
package struct StreamEntry {
    /// The content of a message.
    package enum Content {
        /// A server-sent event.
        case event(ServerSentEvent)
        /// A JSON value in its original text.
        case json(String)
        /// A message of Protocol Buffers.
        case protobuf([ProtobufMember])
        /// The trailers of gRPC-Web.
        case trailers(HeaderFields)
        /// A text without a known format.
        case text(String)
        /// Bytes of any other kind.
        case bytes([UInt8])
    }

    /// The body that contains the message.
    package let owner: BodyOwner
    /// `event`, `record`, `message`, `trailers`, `endOfStream`, `piece` or `unread`.
    package let kind: String
    /// The offset of the message in the body, after content codings are removed.
    package let offset: Int
    /// The number of bytes of the message in the body, including its framing.
    package let length: Int
    /// The time at which the last byte of the message was available.
    package let time: Timestamp
    /// The content of the message.
    package var content: Content
    /// The coding with which this message alone was compressed; `nil` if it was not.
    package var compression: String?
    /// Whether the message is complete.
    package var isComplete = true
    /// A description of the message's fault; `nil` if there is none.
    package var trouble: String?

    /// Returns bytes as a text if they are valid UTF-8, otherwise as bytes.
    static func plain(_ bytes: some Collection<UInt8>) -> Content {
        String(validating: bytes, as: UTF8.self).map(Content.text) ?? .bytes(Array(bytes))
    }
}

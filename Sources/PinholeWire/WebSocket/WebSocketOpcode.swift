/// What a WebSocket frame is (RFC 6455 §11.8).
package enum WebSocketOpcode: UInt8, Sendable, CaseIterable {
    /// More of the message that began with an earlier frame.
    case continuation = 0x0
    /// A message of text, or its first part.
    case text = 0x1
    /// A message of bytes, or its first part.
    case binary = 0x2
    /// The sender is done.
    case close = 0x8
    /// Asks for a pong.
    case ping = 0x9
    /// Answers a ping.
    case pong = 0xa

    /// Whether it may stand between the fragments of a message, and must not be fragmented itself
    /// (RFC 6455 §5.5).
    package var isControl: Bool { rawValue & 0x8 != 0 }
}

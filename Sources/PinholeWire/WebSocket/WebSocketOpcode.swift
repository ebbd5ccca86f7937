/// The kind of a WebSocket frame (RFC 6455 §11.8).
package enum WebSocketOpcode: UInt8, Sendable, CaseIterable {
    /// A further part of the message that an earlier frame began.
    case continuation = 0x0
    /// A message of text or its first part.
    case text = 0x1
    /// A message of bytes or its first part.
    case binary = 0x2
    /// The end of the sender's frames.
    case close = 0x8
    /// A request for a pong.
    case ping = 0x9
    /// The answer to a ping.
    case pong = 0xa

    /// Whether the frame is a control frame.
    ///
    /// A control frame may stand between the fragments of a message and must not be fragmented itself (RFC 6455 §5.5).
    package var isControl: Bool { rawValue & 0x8 != 0 }
}

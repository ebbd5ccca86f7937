/// The header of a WebSocket frame (RFC 6455 §5.2).
package struct WebSocketFrameHead: Sendable, Equatable {
    /// What the frame is.
    package var opcode: WebSocketOpcode
    /// Whether it is the last of its message (FIN).
    package var isFinal: Bool
    /// Whether RSV1 is set: with permessage-deflate, that the message is compressed (RFC 7692 §6).
    package var isCompressed: Bool
    /// With what the payload is masked; `nil` where it is not.
    package var mask: WebSocketMaskKey?
    /// The bytes of the payload that follow the header.
    package var payloadLength: Int64
    /// The bytes of the header itself.
    package var headerLength: Int
}

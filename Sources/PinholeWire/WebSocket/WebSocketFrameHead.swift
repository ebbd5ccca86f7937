/// The header of a WebSocket frame (RFC 6455 §5.2).
package struct WebSocketFrameHead: Sendable, Equatable {
    /// The kind of the frame.
    package var opcode: WebSocketOpcode
    /// Whether the frame is the last of its message (FIN).
    package var isFinal: Bool
    /// Whether RSV1 is set, which means with permessage-deflate that the message is compressed (RFC 7692 §6).
    package var isCompressed: Bool
    /// The key that masks the payload; `nil` if the payload is not masked.
    package var mask: WebSocketMaskKey?
    /// The length of the payload in bytes.
    package var payloadLength: Int64
    /// The length of the header in bytes.
    package var headerLength: Int
}

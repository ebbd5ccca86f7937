package import PinholeModel

/// A message that the proxy itself sends in an open WebSocket, on behalf of a user.
package struct OwnMessage: Sendable {
    /// The result of sending.
    package enum Outcome: Sendable, Equatable {
        /// The message was sent, or will be sent as soon as the current message ends.
        case taken
        /// There is no such WebSocket, or it is closed.
        case notOpen
        /// The message must not be sent; the text says why.
        case refused(String)
    }

    /// The exchange that opened the WebSocket.
    package var exchange: ExchangeID
    /// The receiver of the message.
    package var receiver: Side
    /// The kind of the message.
    package var kind: WebSocketMessage.Kind
    /// The content of the message.
    package var payload: [UInt8]

    /// Creates a message.
    package init(
        in exchange: ExchangeID,
        to receiver: Side,
        _ kind: WebSocketMessage.Kind,
        _ payload: [UInt8]
    ) {
        self.exchange = exchange
        self.receiver = receiver
        self.kind = kind
        self.payload = payload
    }
}

package import PinholeModel

/// A message that somebody wants to be sent in a WebSocket that stands.
package struct OwnMessage: Sendable {
    /// What became of it.
    package enum Outcome: Sendable, Equatable {
        /// It was sent, or is when the message ends that is passing.
        case taken
        /// There is no such WebSocket, or it is over.
        case notOpen
        /// It must not be sent; the text says why.
        case refused(String)
    }

    /// The exchange that opened the WebSocket.
    package var exchange: ExchangeID
    /// Who gets it.
    package var receiver: Side
    /// What it is.
    package var kind: WebSocketMessage.Kind
    /// What it holds.
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

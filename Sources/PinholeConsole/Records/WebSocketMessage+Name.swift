package import PinholeModel

extension WebSocketMessage.Kind {
    /// The word for it.
    package var name: String {
        switch self {
        case .unread: "unread"
        case .text: "text"
        case .binary: "binary"
        case .close: "close"
        case .ping: "ping"
        case .pong: "pong"
        }
    }
}

extension ExchangeRecord {
    /// That it became a WebSocket, and how many messages passed; `nil` where it did not.
    package var webSocketSummary: String? {
        guard notes.contains(.webSocket) else { return nil }
        let count = messages == 1 ? "1 message" : "\(messages) messages"
        return "WebSocket, \(count)\(notes.contains(.webSocketBroken) ? ", protocol broken" : "")"
    }
}

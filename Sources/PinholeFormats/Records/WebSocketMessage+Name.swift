package import PinholeModel

extension WebSocketMessage.Kind {
    /// The name of the kind of message in JSON.
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
    /// The operations of GraphQL, or the method of a call of gRPC without its service; `nil` for any other exchange.
    package var operation: String? {
        if let graphQL { return graphQL }
        guard case .grpc = protocolStatus else { return nil }
        return path.prefix { $0 != "?" }.split(separator: "/").last.map(String.init)
    }
}

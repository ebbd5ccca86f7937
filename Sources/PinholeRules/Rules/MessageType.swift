import PinholeModel

/// A type of messages, with the words of the configuration.
enum MessageType: String, Sendable, CaseIterable {
    case text
    case binary
    case ping
    case pong

    var kind: WebSocketMessage.Kind {
        switch self {
        case .text: .text
        case .binary: .binary
        case .ping: .ping
        case .pong: .pong
        }
    }
}

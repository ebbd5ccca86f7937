package import PinholeFilter
package import PinholeModel

/// The condition for the messages of a WebSocket that a rule acts on.
package struct MessageMatch: Sendable, Equatable {
    /// The sender of the messages; `nil` for either side.
    package var sender: Side?
    /// The kinds of the messages.
    package var kinds: Set<WebSocketMessage.Kind> = [.text, .binary]
    /// The expression that messages have to match; `nil` for any content.
    package var find: Substitution?

    /// The largest part of a message that is examined.
    private static let textLimit = 64 << 10

    /// Whether a message matches.
    func means(_ kind: WebSocketMessage.Kind, from sender: Side, _ content: [UInt8]) -> Bool {
        guard kinds.contains(kind), self.sender == nil || self.sender == sender else { return false }
        guard let find else { return true }
        return find.expanding(firstIn: Array(content.prefix(Self.textLimit)), limit: 0) != nil
    }
}

/// The content of a message that a rule sends.
package enum MessageContent: Sendable, Equatable {
    /// A message of text.
    case text(String)
    /// A message of bytes.
    case bytes([UInt8])

    /// The kind of the message.
    package var kind: WebSocketMessage.Kind { if case .text = self { .text } else { .binary } }

    /// The payload of the message.
    package var payload: [UInt8] {
        switch self {
        case .text(let text): Array(text.utf8)
        case .bytes(let bytes): bytes
        }
    }
}

/// The action of a `rewriteMessage` rule.
package struct MessageRewrite: Sendable, Equatable {
    /// The change of a message.
    package enum Edit: Sendable, Equatable {
        /// The matches in the message are replaced.
        case replace(Substitution)
        /// The whole message is replaced.
        case whole(MessageContent)
    }

    /// The messages that are changed.
    package var match: MessageMatch
    /// The change.
    package var edit: Edit

    /// Creates a rewrite.
    package init(_ match: MessageMatch, _ edit: Edit) {
        self.match = match
        self.edit = edit
    }
}

/// The action of an `injectMessage` rule.
package struct MessageInjection: Sendable, Equatable {
    /// The receiver of the message.
    package var receiver: Side
    /// The message.
    package var content: MessageContent
    /// The messages after which it is sent; `nil` to send it once, when the WebSocket opens.
    package var after: MessageMatch?

    /// Creates an injection.
    package init(to receiver: Side, _ content: MessageContent, after: MessageMatch? = nil) {
        self.receiver = receiver
        self.content = content
        self.after = after
    }
}

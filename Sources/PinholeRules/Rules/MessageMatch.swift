package import PinholeFilter
package import PinholeModel

/// Which messages of a WebSocket a rule means.
package struct MessageMatch: Sendable, Equatable {
    /// Who sends them; `nil` for either side.
    package var sender: Side?
    /// What they are.
    package var kinds: Set<WebSocketMessage.Kind>
    /// What is looked for in them; `nil` for nothing.
    package var find: Substitution?

    /// Creates a match for messages of text and bytes.
    package init(
        sender: Side? = nil,
        kinds: Set<WebSocketMessage.Kind> = [.text, .binary],
        find: Substitution? = nil
    ) {
        self.sender = sender
        self.kinds = kinds
        self.find = find
    }

    /// Of a message no more is looked at.
    private static let textLimit = 64 << 10

    /// Whether a message is meant.
    func means(_ kind: WebSocketMessage.Kind, from sender: Side, _ content: [UInt8]) -> Bool {
        guard kinds.contains(kind), self.sender == nil || self.sender == sender else { return false }
        guard let find else { return true }
        return find.expanding(firstIn: Array(content.prefix(Self.textLimit)), limit: 0) != nil
    }

    /// Whether messages of `side` may be meant.
    func concerns(_ side: Side) -> Bool { sender == nil || sender == side }
}

/// What a message is to hold.
package enum MessageContent: Sendable, Equatable {
    /// A message of text.
    case text(String)
    /// A message of bytes.
    case bytes([UInt8])

    /// What it is.
    package var kind: WebSocketMessage.Kind { if case .text = self { .text } else { .binary } }

    /// Its payload.
    package var payload: [UInt8] {
        switch self {
        case .text(let text): Array(text.utf8)
        case .bytes(let bytes): bytes
        }
    }
}

/// What a `rewriteMessage` rule does.
package struct MessageRewrite: Sendable, Equatable {
    /// How a message is changed.
    package enum Edit: Sendable, Equatable {
        /// What matches in it is replaced.
        case replace(Substitution)
        /// It is another one.
        case whole(MessageContent)
    }

    /// Which messages.
    package var match: MessageMatch
    /// How.
    package var edit: Edit

    /// Creates a rewrite.
    package init(_ match: MessageMatch, _ edit: Edit) {
        self.match = match
        self.edit = edit
    }
}

/// What an `injectMessage` rule does.
package struct MessageInjection: Sendable, Equatable {
    /// Who gets the message.
    package var receiver: Side
    /// The message.
    package var content: MessageContent
    /// Behind which messages it is sent; `nil` once, when the WebSocket is open.
    package var after: MessageMatch?

    /// Creates an injection.
    package init(to receiver: Side, _ content: MessageContent, after: MessageMatch? = nil) {
        self.receiver = receiver
        self.content = content
        self.after = after
    }
}

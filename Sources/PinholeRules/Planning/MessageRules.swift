import PinholeFilter
package import PinholeModel

/// The rules for messages that mean one WebSocket, in their order.
package struct MessageRules: Sendable, Equatable {
    /// A message that the proxy sends.
    package struct Own: Sendable, Equatable {
        /// Who gets it.
        package var receiver: Side
        /// What it holds.
        package var content: MessageContent
        /// The rule that wants it.
        package var rule: String
    }

    /// What becomes of a message.
    package struct Outcome: Sendable, Equatable {
        /// The message as it goes on; `nil` where it does not.
        package var content: [UInt8]?
        /// What it is then.
        package var kind: WebSocketMessage.Kind
        /// The rules that dropped or changed it.
        package var rules: [String] = []
        /// What is sent behind it.
        package var own: [Own] = []
    }

    /// The longest message that a replacement may make.
    private static let limit = 16 << 20

    private let rules: [Rule]

    /// Takes the rules that mean a WebSocket.
    init(_ rules: [Rule]) { self.rules = rules }

    /// What is sent when the WebSocket is open.
    package var openings: [Own] {
        rules.compactMap { rule in
            guard case .injectMessage(let injection) = rule.action, injection.after == nil else { return nil }
            return Own(receiver: injection.receiver, content: injection.content, rule: rule.name)
        }
    }

    /// What becomes of a message.
    ///
    /// Every rule is judged by the message as it was sent; the first that drops it is the last that is asked.
    ///
    /// - Parameters:
    ///   - kind: What it is.
    ///   - sender: Who sent it.
    ///   - content: What it holds, decompressed.
    /// - Returns: The outcome.
    package func outcome(
        of kind: WebSocketMessage.Kind,
        from sender: Side,
        _ content: [UInt8]
    ) -> Outcome {
        var outcome = Outcome(content: content, kind: kind)
        for rule in rules {
            switch rule.action {
            case .dropMessage(let match) where match.means(kind, from: sender, content):
                outcome.content = nil
                outcome.rules.append(rule.name)
                return outcome
            case .rewriteMessage(let rewrite) where rewrite.match.means(kind, from: sender, content):
                if outcome.apply(rewrite.edit, Self.limit) { outcome.rules.append(rule.name) }
            case .injectMessage(let injection):
                guard injection.after?.means(kind, from: sender, content) == true else { continue }
                outcome.own.append(
                    Own(receiver: injection.receiver, content: injection.content, rule: rule.name)
                )
            default: continue
            }
        }
        return outcome
    }
}

extension MessageRules.Outcome {
    /// - Returns: Whether the message is another one.
    fileprivate mutating func apply(_ edit: MessageRewrite.Edit, _ limit: Int) -> Bool {
        switch edit {
        case .whole(let whole):
            kind = whole.kind
            content = whole.payload
            return true
        case .replace(let substitution):
            guard let before = content, let made = substitution.replacing(in: before, limit: limit),
                kind != .text || String(validating: made, as: UTF8.self) != nil
            else { return false }
            content = made
            return made != before
        }
    }
}

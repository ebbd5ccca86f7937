import PinholeFilter
package import PinholeModel

/// The rules for the messages of one WebSocket, in their order.
package struct MessageRules: Sendable, Equatable {
    /// A message that the proxy sends.
    package struct Own: Sendable, Equatable {
        /// The receiver of the message.
        package var receiver: Side
        /// The content of the message.
        package var content: MessageContent
        /// The rule that sends the message.
        package var rule: String
    }

    /// The result of the rules for a message.
    package struct Outcome: Sendable, Equatable {
        /// The message to forward; `nil` if it is dropped.
        package var content: [UInt8]?
        /// The kind of the forwarded message.
        package var kind: WebSocketMessage.Kind
        /// The names of the rules that dropped or changed the message.
        package var rules: [String] = []
        /// The messages to send after it.
        package var own: [Own] = []
    }

    /// The longest message that a replacement may make.
    private static let limit = 16 << 20

    private let rules: [Rule]

    init(_ rules: [Rule]) { self.rules = rules }

    /// The messages to send when the WebSocket opens.
    package var openings: [Own] {
        rules.compactMap { rule in
            guard case .injectMessage(let injection) = rule.action, injection.after == nil,
                rule.actsOnMatch()
            else { return nil }
            return Own(receiver: injection.receiver, content: injection.content, rule: rule.name)
        }
    }

    /// Applies the rules to a message.
    ///
    /// Every rule is matched against the original message. A rule that drops the message ends the evaluation.
    ///
    /// - Parameters:
    ///   - kind: The kind of the message.
    ///   - sender: The sender of the message.
    ///   - content: The decompressed content.
    /// - Returns: The result.
    package func outcome(
        of kind: WebSocketMessage.Kind,
        from sender: Side,
        _ content: [UInt8]
    ) -> Outcome {
        var outcome = Outcome(content: content, kind: kind)
        for rule in rules {
            switch rule.action {
            case .dropMessage(let match):
                guard match.means(kind, from: sender, content), rule.actsOnMatch() else { continue }
                outcome.content = nil
                outcome.rules.append(rule.name)
                return outcome
            case .rewriteMessage(let rewrite):
                guard rewrite.match.means(kind, from: sender, content), rule.actsOnMatch() else { continue }
                if outcome.apply(rewrite.edit, Self.limit) { outcome.rules.append(rule.name) }
            case .injectMessage(let injection):
                guard injection.after?.means(kind, from: sender, content) == true, rule.actsOnMatch() else {
                    continue
                }
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
    /// - Returns: Whether the message was changed.
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

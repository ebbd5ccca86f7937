/// An effect that rules of a kind can have on clients, on servers, or on the user's own machine.
///
/// ``RuleKind/effects`` declares the effects of each kind. Somebody else may have written a configuration, so the user
/// confirms every effect for which ``needsConfirmation`` is true.
package enum RuleEffect: Int, Sendable, CaseIterable, Comparable {
    /// Clients get an answer of the proxy, which the server never gave.
    case answersForServers
    /// Clients get something else than the server's answer or message.
    case changesForClients
    /// Servers get something else than the client's request or message.
    case changesForServers
    /// Requests go to another server than the client asked for.
    case divertsRequests
    /// Clients are told to ask another URL.
    case divertsClients
    /// Clients or servers get the content of local files.
    case readsFiles
    /// A program on this machine sees messages and decides about them.
    case asksPrograms
    /// Messages take longer; what they say and where they go stays the same.
    case takesTime

    /// Whether the user has to confirm a rule with this effect.
    package var needsConfirmation: Bool {
        switch self {
        case .answersForServers, .changesForClients, .changesForServers, .divertsRequests, .divertsClients,
            .readsFiles, .asksPrograms:
            true
        case .takesTime: false
        }
    }

    /// The effect in a few words, with those who feel it.
    package var summary: String {
        switch self {
        case .answersForServers: "answers clients in place of the server"
        case .changesForClients: "changes what servers send to clients"
        case .changesForServers: "changes what clients send to servers"
        case .divertsRequests: "sends requests to another server"
        case .divertsClients: "sends clients to another URL"
        case .readsFiles: "sends the content of files"
        case .asksPrograms: "lets a program read and change messages"
        case .takesTime: "delays messages"
        }
    }

    /// Whether an effect is named before another one.
    package static func < (one: RuleEffect, other: RuleEffect) -> Bool { one.rawValue < other.rawValue }
}

extension RuleAction {
    /// The effects of this action: ``RuleKind/effects`` without those that its own keys leave out.
    package var effects: Set<RuleEffect> {
        var effects = kind.effects
        if files.isEmpty { effects.remove(.readsFiles) }
        if case .rewriteRequest(let edit) = self, edit.url.isEmpty { effects.remove(.divertsRequests) }
        return effects
    }
}

extension Rule {
    /// The effects that a user has to confirm, with the rule's sentence; `nil` if there are none.
    ///
    /// The effects are those of the kind, so a rule without an effect yet needs confirmation, too.
    package var consequence: String? {
        guard action.kind.effects.contains(where: \.needsConfirmation) else { return nil }
        let effects = action.effects.filter(\.needsConfirmation).sorted().map(\.summary)
        // A rule without a name of its own is called by its place: “rule 1”.
        let title = name.hasPrefix("rule ") ? name : "rule \(name)"
        return "\(effects.joined(separator: " and ")) (the \(title): \(sentence))"
    }
}

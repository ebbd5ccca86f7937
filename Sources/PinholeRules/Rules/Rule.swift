package import PinholeFilter

/// A filter and the action for the exchanges that it matches.
package struct Rule: Sendable, Equatable {
    /// The name in records and messages.
    package var name: String
    /// The filter for exchanges.
    ///
    /// The filter is evaluated for the request as received from the client.
    package var filter: Filter
    /// The effect of the rule on a message that its filter matches.
    package var action: RuleAction
    /// Whether the rule is enabled.
    package var isEnabled: Bool
    /// The chance that the rule acts on a match; `nil` to act on every match.
    package var chance: Chance?

    /// Creates a rule.
    package init(
        name: String,
        filter: Filter = .everything,
        action: RuleAction,
        isEnabled: Bool = true,
        chance: Chance? = nil
    ) {
        self.name = name
        self.filter = filter
        self.action = action
        self.isEnabled = isEnabled
        self.chance = chance
    }

    /// Whether the rule acts on a new match.
    func actsOnMatch() -> Bool { chance?.draw() ?? true }

    /// Creates a task for a whole message.
    func task(_ work: MessageTask.Work) -> MessageTask {
        MessageTask(rule: name, kind: action.kind, work: work)
    }
}

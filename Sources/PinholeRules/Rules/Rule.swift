package import PinholeFilter

/// What is done with the exchanges that a filter means.
package struct Rule: Sendable, Equatable {
    /// How it is called in records and messages.
    package var name: String
    /// Which exchanges are meant; judged by the request as the client sent it.
    package var filter: Filter
    /// What is done.
    package var action: RuleAction
    /// Whether it counts.
    package var isEnabled: Bool

    /// Creates a rule.
    package init(name: String, filter: Filter = .everything, action: RuleAction, isEnabled: Bool = true) {
        self.name = name
        self.filter = filter
        self.action = action
        self.isEnabled = isEnabled
    }

    /// What it does with a whole message.
    func task(_ work: MessageTask.Work) -> MessageTask {
        MessageTask(rule: name, kind: action.kind, work: work)
    }
}

package import PinholeModel

/// A task of a rule for a message that is held.
package struct MessageTask: Sendable, Equatable {
    /// The work of a task.
    package enum Work: Sendable, Equatable {
        /// The content is changed.
        case edit(BodyEdit)
        /// The message is held at a breakpoint for a decision, for at most this time.
        case breakpoint(Duration)
        /// A program decides about the message.
        case program(ProgramCall, ProgramCall.Point)
        /// A capture is searched for the request, including its body.
        case replay(CaptureReplay)
        /// The operations of GraphQL are read, which the filter of the rule asks for.
        case operations
    }

    /// The name of the rule.
    package let rule: String
    /// The kind of the rule.
    package let kind: RuleKind
    /// The work of the task.
    package let work: Work

    /// Creates a task.
    package init(rule: String, kind: RuleKind, work: Work) {
        self.rule = rule
        self.kind = kind
        self.work = work
    }

    /// The time limit for a decision by a person or a program; computing time is not included.
    package var patience: Duration {
        switch work {
        case .edit, .replay, .operations: .zero
        case .breakpoint(let patience): patience
        case .program(let call, _): call.patience
        }
    }

    /// Whether the task needs the whole message.
    package var wantsBody: Bool {
        guard case .program(_, let point) = work else { return true }
        return point.wantsBody
    }

    /// Whether the message must not go on if the task fails.
    package var isRequired: Bool {
        guard case .program(let call, _) = work else { return false }
        return call.failure == .close
    }

    /// Creates the record of the task.
    ///
    /// - Parameter effect: The effect in a few words.
    /// - Returns: The hit.
    package func hit(_ effect: String) -> RuleHit {
        RuleHit(rule: rule, kind: kind.rawValue, effect: effect)
    }
}

package import PinholeModel

/// Something that a rule does with a whole message, once all of its content is there.
package struct MessageTask: Sendable, Equatable {
    /// What is done.
    package enum Work: Sendable, Equatable {
        /// The content is changed.
        case edit(BodyEdit)
        /// Somebody is asked what becomes of it, and has so long for the answer.
        case breakpoint(Duration)
        /// A program is asked what becomes of it.
        case program(ProgramCall, ProgramCall.Point)
        /// The request is looked for in a capture, body and all.
        case replay(CaptureReplay)
    }

    /// The name of the rule.
    package let rule: String
    /// Its kind.
    package let kind: RuleKind
    /// What is done.
    package let work: Work

    /// Creates a task.
    package init(rule: String, kind: RuleKind, work: Work) {
        self.rule = rule
        self.kind = kind
        self.work = work
    }

    /// How long whoever does it may take, beside the time that computing takes.
    package var patience: Duration {
        switch work {
        case .edit, .replay: .zero
        case .breakpoint(let patience): patience
        case .program(let call, _): call.patience
        }
    }

    /// Whether all of the message has to be there.
    package var wantsBody: Bool {
        guard case .program(_, let point) = work else { return true }
        return point.wantsBody
    }

    /// Whether the message may not go on where this cannot be done.
    package var isRequired: Bool {
        guard case .program(let call, _) = work else { return false }
        return call.failure == .close
    }

    /// What is recorded of it.
    ///
    /// - Parameter effect: What it did, in a few words.
    /// - Returns: The hit.
    package func hit(_ effect: String) -> RuleHit {
        RuleHit(rule: rule, kind: kind.rawValue, effect: effect)
    }
}

package import PinholeRules

/// A question about an exchange that is held until it has been answered by a ``Decision``.
package enum Consultation: Sendable, Equatable {
    /// Is so much time over?
    case wait(Duration)
    /// What is in the file of this answer?
    indirect case file(MockAnswer, reason: String)
    /// Which file is meant by this path?
    indirect case local(LocalMap, path: String, reason: String)
    /// What was recorded for this request?
    indirect case replay(CaptureReplay, RuleRequest, reason: String)

    /// How long the answer takes at least.
    var patience: Duration { if case .wait(let duration) = self { duration } else { .zero } }
}

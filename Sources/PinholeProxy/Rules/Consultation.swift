package import PinholeRules

/// A question about an exchange that is held until it has been answered by a ``Decision``.
package enum Consultation: Sendable, Equatable {
    /// Is so much time over?
    case wait(Duration)
    /// What is in the file of this answer?
    indirect case file(MockAnswer, reason: String)
    /// Which file is meant by this path?
    indirect case local(LocalMap, path: String, reason: String)
    /// What was recorded for this request? The body is there where it is compared, and could be held.
    indirect case replay(CaptureReplay, RuleRequest, body: [UInt8]?, reason: String)
    /// What becomes of this message, of which everything is there?
    indirect case message(HeldMessage)

    /// How long the answer takes at least, or may.
    var patience: Duration {
        switch self {
        case .wait(let duration): duration
        case .file, .local, .replay: .zero
        case .message(let message): message.patience
        }
    }

    /// After how long the exchange goes on without an answer; `nil` where one is sure to come.
    package var timeout: Duration? {
        guard case .message(let message) = self else { return nil }
        return message.patience + Self.computing
    }

    /// Longer than the content of any message takes to be decoded and changed.
    private static let computing = Duration.seconds(30)

    /// What is done where nobody answered in time.
    package var fallback: Decision {
        guard case .message(let message) = self else { return .proceed }
        let reason = "no answer came in time"
        let decision = message.tasks.requirement(reason).map { Decision.cut(isReset: false, $0) }
        return .noting(message.tasks.notApplied(reason), then: decision ?? .proceed)
    }
}

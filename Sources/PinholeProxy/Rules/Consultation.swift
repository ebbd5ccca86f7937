package import PinholeRules

/// A question about a held exchange, which is answered by a ``ExchangeDecision``.
package enum Consultation: Sendable, Equatable {
    /// A delay of this length: the answer comes when it is over.
    case wait(Duration)
    /// The content of the file for this answer to the request.
    indirect case file(MockAnswer, RuleRequest, reason: String)
    /// The file that the path of the request is mapped to.
    indirect case local(LocalMap, RuleRequest, reason: String)
    /// The recorded response to this request. `body` is `nil` if the bodies are not compared, or if the body could not
    /// be held.
    indirect case replay(CaptureReplay, RuleRequest, body: [UInt8]?, reason: String)
    /// The decision about this message, of which everything is there that its tasks need.
    indirect case message(HeldMessage)

    /// The time that the answer takes at least, or may take.
    var patience: Duration {
        switch self {
        case .wait(let duration): duration
        case .file, .local, .replay: .zero
        case .message(let message): message.patience
        }
    }

    /// The time after which the exchange continues without a response; `nil` if an answer is sure to come.
    package var timeout: Duration? {
        guard case .message(let message) = self else { return nil }
        return message.patience + Self.computing
    }

    /// A time in which the content of any message can be decoded and changed.
    private static let computing = Duration.seconds(30)

    /// The decision if no answer came in time.
    package var fallback: ExchangeDecision {
        guard case .message(let message) = self else { return .proceed }
        let reason = "no answer came in time"
        let decision = message.tasks.requirement(reason).map { ExchangeDecision.cut(isReset: false, $0) }
        return .noting(message.tasks.notApplied(reason), then: decision ?? .proceed)
    }
}

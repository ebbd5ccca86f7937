import PinholeLock
import PinholeModel
import PinholeTrust

/// A ``ChainEvaluator`` that answers what a test says, and remembers what it was asked.
final class TableEvaluator: ChainEvaluator {
    private let answer: @Sendable (ChainQuestion) -> ChainAnswer
    private let asked = Lock<[ChainQuestion]>([])

    /// Answers by a closure.
    init(_ answer: @escaping @Sendable (ChainQuestion) -> ChainAnswer) {
        self.answer = answer
    }

    /// Finds the presented chain valid, with `root` behind it.
    convenience init(root: CertificateFacts) {
        self.init { ChainAnswer(path: ValidatedChain($0.presented.certificates + [root])) }
    }

    /// Finds a fault, having built the presented chain.
    convenience init(fault: ChainFault.Kind) {
        self.init { question in
            ChainAnswer(
                fault: ChainFault(fault, depth: 0, "it is \(fault.rawValue)"),
                built: question.presented.certificates
            )
        }
    }

    /// The questions in their order.
    var questions: [ChainQuestion] { asked.withLock(\.self) }

    func evaluate(_ question: ChainQuestion) -> ChainAnswer {
        asked.withLock { $0.append(question) }
        // A signature of the log 1 is 1, and so on.
        return answer(question).logged(as: question) { key, _, signature in key == signature }
    }
}

extension Judgement {
    /// The verdict in a word: `trusted`, `notApplicable`, or the reason of the rejection.
    var word: String {
        switch verdict {
        case .trusted: "trusted"
        case .rejected(let rejection): rejection.reason.code
        case .notApplicable: "notApplicable"
        }
    }

    /// The sentence of the rejection, or why it does not apply.
    var detail: String {
        switch verdict {
        case .trusted: ""
        case .rejected(let rejection): rejection.detail
        case .notApplicable(let why): why
        }
    }

    /// The checks as `name: outcome`.
    var steps: [String] { checks.map { "\($0.name): \($0.outcome.rawValue)" } }
}

import PinholeLock
package import PinholeTrust

/// An evaluator that records the last question, so that a report can list the other paths afterwards.
///
/// A policy decides by one path. Only the policy knows the anchors, the host and the purposes that it asked
/// about, so they are recorded here.
package final class ChainInquiry: ChainEvaluator {
    private let evaluator: any ChainEvaluator
    private let last = Lock<(question: ChainQuestion, answer: ChainAnswer)?>(nil)

    /// Creates an inquiry that passes questions to `evaluator`.
    package init(_ evaluator: any ChainEvaluator) { self.evaluator = evaluator }

    /// Passes the question on, and records it with its answer.
    ///
    /// If there are several questions, the last one with a valid path is kept. If none has one, the last
    /// question is kept.
    package func evaluate(_ question: ChainQuestion) -> ChainAnswer {
        let answer = evaluator.evaluate(question)
        last.withLock { last in
            if answer.isValid || last?.answer.isValid != true { last = (question, answer) }
        }
        return answer
    }

    /// Passes the question on without recording it.
    package func paths(for question: ChainQuestion) -> PathSet { evaluator.paths(for: question) }

    /// The valid paths other than the one of the recorded answer; empty if nothing was asked.
    package func otherPaths() -> PathSet {
        guard let (question, answer) = last.withLock({ $0 }) else { return PathSet([], isComplete: true) }
        return evaluator.paths(for: question).others(than: answer.path)
    }
}

import PinholeLock
package import PinholeTrust

/// An evaluator that notes what it is asked, so that afterwards the other paths can be told.
///
/// A policy decides by one path. Which anchors, host and purposes that was about, only the policy knows; so what
/// it asked is kept here.
package final class ChainInquiry: ChainEvaluator {
    private let evaluator: any ChainEvaluator
    private let last = Lock<(question: ChainQuestion, answer: ChainAnswer)?>(nil)

    /// Asks `evaluator`.
    package init(_ evaluator: any ChainEvaluator) { self.evaluator = evaluator }

    /// Asks, and notes it.
    ///
    /// Of several questions the last one with a valid path is kept, else the last one.
    package func evaluate(_ question: ChainQuestion) -> ChainAnswer {
        let answer = evaluator.evaluate(question)
        last.withLock { last in
            if answer.isValid || last?.answer.isValid != true { last = (question, answer) }
        }
        return answer
    }

    /// Asks, and notes nothing.
    package func paths(for question: ChainQuestion) -> PathSet { evaluator.paths(for: question) }

    /// The valid paths beside the one that was answered; none where nothing was asked.
    package func otherPaths() -> PathSet {
        guard let (question, answer) = last.withLock({ $0 }) else { return PathSet([], isComplete: true) }
        return evaluator.paths(for: question).others(than: answer.path)
    }
}

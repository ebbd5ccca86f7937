import PinholeTrust

/// An evaluator that finds no path any more when the time of a check is over.
///
/// A student's policy may combine thousands of policies, each of which asks for a path. The result of a check is of no
/// use after its time, so the answers only have to be quick.
struct MeteredEvaluator: ChainEvaluator {
    private let evaluator: any ChainEvaluator
    private let isOver: @Sendable () -> Bool

    /// Creates an evaluator that passes questions to another one until the time is over.
    init(_ evaluator: any ChainEvaluator, until isOver: @escaping @Sendable () -> Bool) {
        self.evaluator = evaluator
        self.isOver = isOver
    }

    func evaluate(_ question: ChainQuestion) -> ChainAnswer {
        guard isOver() else { return evaluator.evaluate(question) }
        return ChainAnswer(
            fault: ChainFault(.untrusted, depth: nil, "the time of the check is over"),
            built: []
        )
    }

    func paths(for question: ChainQuestion) -> PathSet {
        isOver() ? PathSet([], isComplete: false) : evaluator.paths(for: question)
    }
}

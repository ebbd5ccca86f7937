/// Builds a judgement from the checks of a mechanism, in their order.
package struct JudgementBuilder {
    /// The checks so far.
    package private(set) var checks: [Check] = []
    /// The path of the last valid evaluation.
    package private(set) var path: ValidatedChain?

    /// Creates a builder without checks.
    package init() {}

    /// Adds a check that passed.
    package mutating func pass(_ name: String, _ detail: String) {
        checks.append(Check(name, .passed, detail))
    }

    /// Adds a check that the mechanism leaves out.
    package mutating func skip(_ name: String, _ detail: String) {
        checks.append(Check(name, .skipped, detail))
    }

    /// Adds a failed check that does not decide.
    package mutating func fail(_ name: String, _ detail: String) {
        checks.append(Check(name, .failed, detail))
    }

    /// Adds a failed check, and rejects because of it.
    package mutating func reject(
        _ name: String,
        _ reason: Rejection.Reason,
        _ detail: String
    ) -> Judgement {
        fail(name, detail)
        return Judgement(.rejected(Rejection(reason, detail)), checks: checks, path: path)
    }

    /// Adds an evaluation, and rejects if there is no valid path.
    ///
    /// - Parameters:
    ///   - name: The name of the check.
    ///   - answer: The answer of the evaluator.
    ///   - question: The question to the evaluator.
    /// - Returns: The rejection; `nil` if the chain is valid.
    package mutating func require(
        _ name: String,
        _ answer: ChainAnswer,
        to question: ChainQuestion
    ) -> Judgement? {
        note(name, answer, to: question)
        guard let fault = answer.effectiveFault else { return nil }
        return Judgement(
            .rejected(Rejection(.chain(fault.kind), fault.detail)),
            checks: checks,
            path: path
        )
    }

    /// Adds an evaluation without a decision.
    package mutating func note(_ name: String, _ answer: ChainAnswer, to question: ChainQuestion) {
        if let found = answer.path {
            path = found
            pass(name, ChainText.path(found.certificates, for: question))
            if let logged = answer.transparency { pass("certificate timestamps", logged.detail) }
        } else {
            fail(name, answer.effectiveFault?.detail ?? "")
        }
    }

    /// Takes over the checks of a part of a combination, with the name of its mechanism.
    package mutating func adopt(_ part: Judgement, of mechanism: String) {
        checks += part.checks.map { Check("\(mechanism): \($0.name)", $0.outcome, $0.detail) }
        if let found = part.path { path = found }
    }

    /// Creates a judgement that trusts.
    package func trust() -> Judgement { Judgement(.trusted, checks: checks, path: path) }

    /// Creates a judgement that rejects, for checks that were added before.
    package func reject(_ rejection: Rejection) -> Judgement {
        Judgement(.rejected(rejection), checks: checks, path: path)
    }

    /// Creates a judgement that leaves the decision to default handling.
    package func leave(_ why: String) -> Judgement {
        Judgement(.notApplicable(why), checks: checks, path: path)
    }
}

extension ChainAnswer {
    /// The fault of an answer without a path.
    ///
    /// If the evaluator gave none, a general fault takes its place.
    package var effectiveFault: ChainFault? {
        guard path == nil else { return nil }
        return fault ?? ChainFault(.untrusted, depth: nil, "no valid path was found")
    }
}

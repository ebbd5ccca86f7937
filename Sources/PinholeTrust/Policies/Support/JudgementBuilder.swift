/// A judgement while a mechanism makes its checks, in the mechanism's order.
package struct JudgementBuilder {
    /// The checks so far.
    package private(set) var checks: [Check] = []
    /// The path that the last valid evaluation found.
    package private(set) var path: ValidatedChain?

    /// Begins without checks.
    package init() {}

    /// Notes a check that passed.
    package mutating func pass(_ name: String, _ detail: String) {
        checks.append(Check(name, .passed, detail))
    }

    /// Notes a check that the mechanism leaves out.
    package mutating func skip(_ name: String, _ detail: String) {
        checks.append(Check(name, .skipped, detail))
    }

    /// Notes a check that failed and does not decide.
    package mutating func fail(_ name: String, _ detail: String) {
        checks.append(Check(name, .failed, detail))
    }

    /// Notes a failed check, and rejects for it.
    package mutating func reject(
        _ name: String,
        _ reason: Rejection.Reason,
        _ detail: String
    ) -> Judgement {
        fail(name, detail)
        return Judgement(.rejected(Rejection(reason, detail)), checks: checks, path: path)
    }

    /// Notes an evaluation, and rejects when there is no valid path.
    ///
    /// - Parameters:
    ///   - name: The check's name.
    ///   - answer: What the evaluator said.
    ///   - question: What it was asked.
    /// - Returns: The rejection; `nil` when the chain is valid.
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

    /// Notes an evaluation, whatever came of it.
    package mutating func note(_ name: String, _ answer: ChainAnswer, to question: ChainQuestion) {
        if let found = answer.path {
            path = found
            pass(name, ChainText.path(found.certificates, for: question))
        } else {
            fail(name, answer.effectiveFault?.detail ?? "")
        }
    }

    /// Takes over the checks of a part of a combination, under the name of its mechanism.
    package mutating func adopt(_ part: Judgement, of mechanism: String) {
        checks += part.checks.map { Check("\(mechanism): \($0.name)", $0.outcome, $0.detail) }
        if let found = part.path { path = found }
    }

    /// Trusts.
    package func trust() -> Judgement { Judgement(.trusted, checks: checks, path: path) }

    /// Rejects for what was noted before.
    package func reject(_ rejection: Rejection) -> Judgement {
        Judgement(.rejected(rejection), checks: checks, path: path)
    }

    /// Leaves the decision to default handling.
    package func leave(_ why: String) -> Judgement {
        Judgement(.notApplicable(why), checks: checks, path: path)
    }
}

extension ChainAnswer {
    /// The fault; one that says so where an evaluator gave neither a path nor a fault.
    package var effectiveFault: ChainFault? {
        guard path == nil else { return nil }
        return fault ?? ChainFault(.untrusted, depth: nil, "no valid path was found")
    }
}

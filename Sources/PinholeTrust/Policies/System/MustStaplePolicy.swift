/// Default handling that also honours must-staple (RFC 7633): where the leaf asks for a stapled OCSP response,
/// a good one has to come.
///
/// A mechanism of our own; neither OpenSSL nor URLSession does this by itself.
package struct MustStaplePolicy: TrustPolicy, Hashable {
    /// Whether a good staple has to come also where the leaf does not ask for one.
    package var always: Bool

    /// `must-staple`.
    package var mechanism: String { "must-staple" }

    /// Creates it.
    package init(always: Bool = false) { self.always = always }

    /// Asks for a path from the device's anchors, then for the staple; one that says “revoked” always counts.
    package func judge(_ evidence: Evidence, with evaluator: any ChainEvaluator) -> Judgement {
        var judgement = JudgementBuilder()
        if let rejection = judgement.requireSystemTrust(evidence, evaluator) { return rejection }
        let name = "stapled OCSP response"
        let asks = evidence.presented.leaf?.mustStaple == true
        guard evidence.stapledResponse != nil else {
            guard asks || always else {
                judgement.skip(name, "the certificate does not ask for one (RFC 7633), and none came")
                return judgement.trust()
            }
            let reason = asks ? "the certificate asks for one (RFC 7633)" : "the policy always asks for one"
            return judgement.reject(name, .chain(.revocationUnknown), "\(reason), and none came")
        }
        var question = ChainQuestion(evidence)
        question.revocation = asks || always ? .required : .knownOnly
        // The staple has to speak for itself.
        question.revocationLists = []
        let answer = evaluator.evaluate(question)
        if let fault = answer.effectiveFault {
            return judgement.reject(name, .chain(fault.kind), fault.detail)
        }
        judgement.pass(name, answer.revocation.first?.detail ?? "nothing speaks against the certificate")
        return judgement.trust()
    }
}

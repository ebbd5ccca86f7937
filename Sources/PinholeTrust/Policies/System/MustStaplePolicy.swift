package import PinholeModel

/// Default handling that also obeys must-staple (RFC 7633): if the leaf requires a stapled OCSP response, a
/// good one has to come.
///
/// This is Pinhole's own mechanism. Neither OpenSSL nor URLSession checks must-staple by itself.
package struct MustStaplePolicy: TrustPolicy, Hashable {
    /// Whether a good response is required even if the leaf does not require one.
    package var always: Bool

    /// The name `must-staple`.
    package var mechanism: String { "must-staple" }

    /// Creates a policy.
    package init(always: Bool = false) { self.always = always }

    /// Requires a path from the device's anchors, and then the response.
    ///
    /// A response that says “revoked” always counts.
    package func judge(_ evidence: Evidence, with evaluator: any ChainEvaluator) -> Judgement {
        var judgement = JudgementBuilder()
        if let rejection = judgement.requireSystemTrust(question(evidence), evaluator) { return rejection }
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
        var question = self.question(evidence)
        question.revocation = asks || always ? .required : .knownOnly
        // The stapled response alone has to prove the status.
        question.revocationLists = []
        let answer = evaluator.evaluate(question)
        if let fault = answer.effectiveFault {
            return judgement.reject(name, .chain(fault.kind), fault.detail)
        }
        judgement.pass(name, answer.revocation.first?.detail ?? "nothing speaks against the certificate")
        return judgement.trust()
    }
}

extension MustStaplePolicy {
    /// The finding about the setting that refuses servers without a stapled response.
    package func findings(in lint: PolicyLint) -> [LintFinding] {
        guard always else { return [] }
        return [
            LintFinding.warning(
                .staple,
                at: "always",
                "Every server without a stapled OCSP response is refused; many CAs have no OCSP any more.",
                remedy: "Leave it out, so that only certificates with must-staple (RFC 7633) need one."
            )
        ]
    }

    /// The settings of any mechanism, with the stapled response.
    package func soundSettings(for authority: Authority, by chosen: VerifierProfile?) -> [Safeguards] {
        .anyMechanism.adding(.staple).judged(by: chosen ?? verifier)
    }
}

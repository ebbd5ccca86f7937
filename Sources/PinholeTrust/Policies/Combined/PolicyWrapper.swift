package import PinholeModel

/// A policy that changes one thing about another policy, and leaves everything else to it.
package protocol PolicyWrapper: TrustPolicy {
    /// The wrapped policy.
    var policy: any TrustPolicy { get set }
}

extension PolicyWrapper {
    /// The mechanism of the wrapped policy.
    package var mechanism: String { policy.mechanism }
    /// Whether the wrapped policy is for delegates.
    package var isForDelegates: Bool { policy.isForDelegates }
    /// The rules of the wrapped policy.
    package var verifier: VerifierProfile { policy.verifier }

    /// The lists of the wrapped policy.
    package var pinLists: [PinList] {
        get { policy.pinLists }
        set { policy.pinLists = newValue }
    }

    /// The hosts of the wrapped policy.
    package var scopes: [HostScope] { policy.scopes }

    /// The exemptions of the wrapped policy.
    package var exemptions: [HostScope] { policy.exemptions }

    /// The findings about the wrapped policy.
    package func findings(in lint: PolicyLint) -> [LintFinding] { policy.findings(in: lint) }

    /// The settings of the wrapped policy.
    package func soundSettings(for authority: Authority, by chosen: VerifierProfile?) -> [Safeguards] {
        policy.soundSettings(for: authority, by: chosen)
    }

    /// The default handling of the wrapped policy.
    package func defaultHandling(of authority: Authority) -> any TrustPolicy {
        policy.defaultHandling(of: authority)
    }

    /// The wrapper with its policy after the visit.
    package func afterVisit(to key: [UInt8], at authority: Authority) -> any TrustPolicy {
        var wrapper = self
        wrapper.policy = policy.afterVisit(to: key, at: authority)
        return wrapper
    }

    /// The refusal of the wrapped policy.
    package func refusalOfCleartext(to host: Host) -> String? { policy.refusalOfCleartext(to: host) }

    /// The error of the wrapped policy.
    package func error(for cause: RefusalCause, at host: Host) -> ReportedError? {
        policy.error(for: cause, at: host)
    }

    /// The report of the wrapped policy.
    package func report(_ evidence: Evidence, _ judgement: Judgement) -> PinReport? {
        policy.report(evidence, judgement)
    }
}

/// A policy whose document names the verifier, because its client has other rules than most clients of its mechanism.
package struct VerifiedPolicy: PolicyWrapper {
    /// The wrapped policy.
    package var policy: any TrustPolicy
    /// The rules by which paths are built and checked.
    package let verifier: VerifierProfile

    /// Creates a policy that judges by `verifier`, whatever rules others choose.
    package init(_ policy: any TrustPolicy, by verifier: VerifierProfile) {
        self.policy = policy
        self.verifier = verifier
    }

    /// Judges by the rules of the document.
    package func judge(_ evidence: Evidence, with evaluator: any ChainEvaluator) -> Judgement {
        var evidence = evidence
        evidence.verifier = verifier
        return policy.judge(evidence, with: evaluator)
    }

    /// The settings of the wrapped policy with this verifier.
    package func soundSettings(for authority: Authority, by _: VerifierProfile?) -> [Safeguards] {
        policy.soundSettings(for: authority, by: verifier)
    }

    /// The default handling of the wrapped policy, by the rules of the document.
    package func defaultHandling(of authority: Authority) -> any TrustPolicy {
        VerifiedPolicy(policy.defaultHandling(of: authority), by: verifier)
    }
}

import PinholeModel
import PinholeTrust

/// A policy that is asked about the lab's host as if it were another host of its document.
///
/// One server of the lab thus stands for the servers of all hosts of a document.
struct RenamedHostPolicy: PolicyWrapper {
    /// The wrapped policy.
    var policy: any TrustPolicy
    /// The host of the document.
    let host: Host
    /// The host of the lab.
    private let labHost: Host

    /// Asks `policy` about `host` if a client asks about `labHost`, and about names below it in the same way.
    init(_ policy: any TrustPolicy, for host: Host, insteadOf labHost: Host) {
        self.policy = policy
        self.host = host
        self.labHost = labHost
    }

    /// Returns the name in the document for a name of the lab.
    private func renamed(_ asked: Host) -> Host {
        if asked == labHost { return host }
        guard let name = asked.name, name.hasSuffix(".\(labHost)") else { return asked }
        return .name("\(name.dropLast("\(labHost)".count))\(host)")
    }

    private func renamed(_ authority: Authority) -> Authority {
        Authority(host: renamed(authority.host), port: authority.port)
    }

    private func renamed(_ evidence: Evidence) -> Evidence {
        var evidence = evidence
        evidence.host = evidence.host.map(renamed)
        return evidence
    }

    /// Judges the other host by the certificates for the lab's.
    func judge(_ evidence: Evidence, with evaluator: any ChainEvaluator) -> Judgement {
        let moved = renamed(evidence)
        guard let asked = evidence.host, let named = moved.host else {
            return policy.judge(evidence, with: evaluator)
        }
        return policy.judge(moved, with: RenamedEvaluator(evaluator: evaluator, named: named, asked: asked))
    }

    /// The lists of the wrapped policy, each for the lab's host if it is for the other host.
    var pinLists: [PinList] {
        get {
            policy.pinLists.map { list in
                var list = list
                if let scope = list.scope {
                    list.scope?.matches = { scope.matches(renamed($0)) }
                }
                list.isChosen = { [isChosen = list.isChosen] in isChosen(renamed($0)) }
                return list
            }
        }
        set { policy.pinLists = newValue }
    }

    /// The default handling of the other host.
    func defaultHandling(of authority: Authority) -> any TrustPolicy {
        RenamedHostPolicy(policy.defaultHandling(of: renamed(authority)), for: host, insteadOf: labHost)
    }

    /// The settings of the other host.
    func soundSettings(for authority: Authority, by chosen: VerifierProfile?) -> [Safeguards] {
        policy.soundSettings(for: renamed(authority), by: chosen)
    }

    /// The wrapped policy after a visit to the other host.
    func afterVisit(to key: [UInt8], at authority: Authority) -> any TrustPolicy {
        RenamedHostPolicy(
            policy.afterVisit(to: key, at: renamed(authority)),
            for: host,
            insteadOf: labHost
        )
    }

    /// The refusal of http for the other host.
    func refusalOfCleartext(to asked: Host) -> String? { policy.refusalOfCleartext(to: renamed(asked)) }

    /// The error at the other host.
    func error(for cause: RefusalCause, at asked: Host) -> ReportedError? {
        policy.error(for: cause, at: renamed(asked))
    }

    /// The report about the other host.
    func report(_ evidence: Evidence, _ judgement: Judgement) -> PinReport? {
        policy.report(renamed(evidence), judgement)
    }
}

/// Checks the name that the lab's certificates have, where a policy means the name in its document.
private struct RenamedEvaluator: ChainEvaluator {
    let evaluator: any ChainEvaluator
    let named: Host
    let asked: Host

    func evaluate(_ question: ChainQuestion) -> ChainAnswer { evaluator.evaluate(renamed(question)) }

    func paths(for question: ChainQuestion) -> PathSet { evaluator.paths(for: renamed(question)) }

    private func renamed(_ question: ChainQuestion) -> ChainQuestion {
        var question = question
        if question.host == named { question.host = asked }
        return question
    }
}

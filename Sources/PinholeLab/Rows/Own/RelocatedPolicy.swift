import PinholeModel
import PinholeTrust

/// A policy that is asked about the lab's server as if it stood at another place of its document.
///
/// One server of the lab thus stands for the servers of all hosts of a document, and for the port that it names.
struct RelocatedPolicy: PolicyWrapper {
    /// The wrapped policy.
    var policy: any TrustPolicy
    /// The place in the document.
    let place: Authority
    /// The place of the lab's server.
    private let actual: Authority

    /// Asks `policy` about `place` if a client asks about `actual`, and about names below its host in the same way.
    init(_ policy: any TrustPolicy, at place: Authority, insteadOf actual: Authority) {
        self.policy = policy
        self.place = place
        self.actual = actual
    }

    /// Returns the name in the document for a name of the lab.
    private func renamed(_ asked: Host) -> Host {
        if asked == actual.host { return place.host }
        guard actual.host != place.host, let name = asked.name, name.hasSuffix(".\(actual.host)") else {
            return asked
        }
        return .name("\(name.dropLast("\(actual.host)".count))\(place.host)")
    }

    private func renamed(_ authority: Authority) -> Authority {
        let port = authority.port == actual.port ? place.port : authority.port
        return Authority(host: renamed(authority.host), port: port)
    }

    private func renamed(_ evidence: Evidence) -> Evidence {
        var evidence = evidence
        evidence.host = evidence.host.map(renamed)
        if evidence.port == actual.port { evidence.port = place.port }
        return evidence
    }

    /// Judges the other host by the certificates for the lab's.
    func judge(_ evidence: Evidence, with evaluator: any ChainEvaluator) -> Judgement {
        let moved = renamed(evidence)
        guard let asked = evidence.host, let named = moved.host else {
            return policy.judge(moved, with: evaluator)
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
        RelocatedPolicy(policy.defaultHandling(of: renamed(authority)), at: place, insteadOf: actual)
    }

    /// The settings of the other host.
    func soundSettings(for authority: Authority, by chosen: VerifierProfile?) -> [Safeguards] {
        policy.soundSettings(for: renamed(authority), by: chosen)
    }

    /// The wrapped policy after a visit to the other host.
    func afterVisit(to key: [UInt8], at authority: Authority) -> any TrustPolicy {
        RelocatedPolicy(policy.afterVisit(to: key, at: renamed(authority)), at: place, insteadOf: actual)
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

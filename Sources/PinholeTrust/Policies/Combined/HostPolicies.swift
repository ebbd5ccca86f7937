package import PinholeModel

/// A policy for each group of hosts.
///
/// The first group that contains the host decides.
package struct HostPolicies: TrustPolicy {
    /// A group of hosts and its policy.
    package struct Entry: Sendable {
        /// The patterns of the hosts.
        package var patterns: [HostPattern]
        /// The policy for the hosts.
        package var policy: any TrustPolicy

        /// Creates an entry.
        package init(_ patterns: [HostPattern], _ policy: any TrustPolicy) {
            self.patterns = patterns
            self.policy = policy
        }
    }

    /// The groups, in the order of the search.
    package var entries: [Entry]
    /// Whether findings name a group by its first host, not by its number.
    private let namesHosts: Bool
    /// Whether hosts without a group are refused; otherwise default handling decides.
    package let refusesOthers: Bool

    /// The name `hosts`.
    package var mechanism: String { "hosts" }

    /// Creates a policy from groups.
    ///
    /// - Parameters:
    ///   - entries: The groups, in the order of the search.
    ///   - namesHosts: Whether findings name a group by its first host, for files that do not number them.
    ///   - refusesOthers: Whether hosts without a group are refused, as by Alamofire 5.
    package init(
        _ entries: [(patterns: [HostPattern], policy: any TrustPolicy)],
        namesHosts: Bool = false,
        refusesOthers: Bool = false
    ) {
        self.entries = entries.map { Entry($0.patterns, $0.policy) }
        self.namesHosts = namesHosts
        self.refusesOthers = refusesOthers
    }

    /// The place of a group in its document.
    private func place(of index: Int) -> String {
        let host = namesHosts ? entries[index].patterns.first?.description : nil
        return "[\(host ?? "\(index)")]"
    }

    /// Returns the policy for a host; `nil` if no group contains it.
    package func policy(for authority: Authority) -> (any TrustPolicy)? {
        entry(for: authority)?.entry.policy
    }

    /// Asks the policy of the host.
    ///
    /// Without one, the verdict is “not applicable”, or a refusal.
    package func judge(_ evidence: Evidence, with evaluator: any ChainEvaluator) -> Judgement {
        var judgement = JudgementBuilder()
        let name = "policy for the host"
        guard let host = evidence.host else {
            judgement.skip(name, "no host was asked for")
            return judgement.leave("no host was asked for, and the policy is one for each host")
        }
        guard let found = entry(for: Authority(host: host, port: evidence.port)) else {
            let patterns = ChainText.list(entries.flatMap { $0.patterns.map(\.description) })
            guard !refusesOthers else {
                return judgement.reject(
                    name,
                    .unknownHost,
                    "no evaluator is for \(host), and every host needs one (allHostsMustBeEvaluated): \(patterns)"
                )
            }
            judgement.skip(name, "no pattern matches \(host): \(patterns)")
            return judgement.leave("no pattern matches \(host)")
        }
        judgement.pass(name, "\(found.pattern) matches \(host): \(found.entry.policy.mechanism)")
        let part = found.entry.policy.judge(evidence, with: evaluator)
        judgement.adopt(part, of: found.entry.policy.mechanism)
        return Judgement(part.verdict, checks: judgement.checks, path: part.path)
    }

    /// The refusal by the host's policy.
    package func refusalOfCleartext(to host: Host) -> String? {
        policy(for: Authority(host: host, port: 80))?.refusalOfCleartext(to: host)
    }

    /// The error of the host's policy.
    package func error(for cause: RefusalCause, at host: Host) -> ReportedError? {
        policy(for: Authority(host: host, port: 443))?.error(for: cause, at: host)
    }

    private func entry(for authority: Authority) -> (entry: Entry, pattern: HostPattern)? {
        for entry in entries {
            if let pattern = entry.patterns.first(where: { $0.matches(authority) }) {
                return (entry, pattern)
            }
        }
        return nil
    }
}

extension HostPolicies {
    /// The pin lists of the groups, for their hosts.
    package var pinLists: [PinList] {
        get {
            entries.enumerated().flatMap { index, entry in
                entry.policy.pinLists.map { $0.moved(under: place(of: index), for: entry.scope) }
            }
        }
        set {
            var policies = entries.map(\.policy)
            policies.take(newValue)
            for (index, policy) in policies.enumerated() { entries[index].policy = policy }
        }
    }

    /// The patterns of the groups.
    package var scopes: [HostScope] { entries.flatMap { $0.patterns.map { HostScope($0) } } }

    /// The findings about the groups.
    package func findings(in lint: PolicyLint) -> [LintFinding] {
        entries.enumerated().flatMap { index, entry in
            entry.policy.findings(in: lint).map { $0.moved(under: place(of: index)) }
        }
    }

    /// The settings of the host's own policy.
    ///
    /// Other hosts have default handling, or are refused.
    package func soundSettings(for authority: Authority, by chosen: VerifierProfile?) -> [Safeguards] {
        let settings =
            policy(for: authority)?.soundSettings(for: authority, by: chosen).limitedToHost
            ?? .pinsForHost.judged(by: chosen ?? verifier)
        guard refusesOthers else { return settings }
        return settings.map { $0.subtracting(.otherHosts).union(.unknownHost) }
    }

    /// The default handling of the host's own policy.
    package func defaultHandling(of authority: Authority) -> any TrustPolicy {
        policy(for: authority)?.defaultHandling(of: authority) ?? SystemPolicy(by: verifier)
    }

    /// The groups after the visit.
    package func afterVisit(to key: [UInt8], at authority: Authority) -> any TrustPolicy {
        var policy = self
        policy.entries = entries.map { entry in
            guard entry.patterns.contains(where: { $0.matches(authority) }) else { return entry }
            return Entry(entry.patterns, entry.policy.afterVisit(to: key, at: authority))
        }
        return policy
    }
}

extension HostPolicies.Entry {
    /// The hosts of the group, each at the port of its pattern.
    fileprivate var scope: HostScope {
        let scopes = patterns.map { HostScope($0) }
        return HostScope(scopes.map(\.text).joined(separator: ", ")) { host in
            scopes.contains { $0.matches(host) }
        }
    }
}

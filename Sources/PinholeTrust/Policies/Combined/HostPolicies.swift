package import PinholeModel

/// A policy for each group of hosts; the first group that the host is in decides.
package struct HostPolicies: TrustPolicy {
    /// Some hosts and how they are judged.
    package struct Entry: Sendable {
        /// The hosts.
        package var patterns: [HostPattern]
        /// Their policy.
        package var policy: any TrustPolicy

        /// Creates an entry.
        package init(_ patterns: [HostPattern], _ policy: any TrustPolicy) {
            self.patterns = patterns
            self.policy = policy
        }
    }

    /// The groups, in the order in which they are looked through.
    package var entries: [Entry]

    /// `hosts`.
    package var mechanism: String { "hosts" }

    /// Combines policies.
    package init(_ entries: [(patterns: [HostPattern], policy: any TrustPolicy)]) {
        self.entries = entries.map { Entry($0.patterns, $0.policy) }
    }

    /// The policy for a host; `nil` where no group holds it.
    package func policy(for authority: Authority) -> (any TrustPolicy)? {
        entry(for: authority)?.entry.policy
    }

    /// Asks the policy of the host; without one it does not apply.
    package func judge(_ evidence: Evidence, with evaluator: any ChainEvaluator) -> Judgement {
        var judgement = JudgementBuilder()
        let name = "policy for the host"
        guard let host = evidence.host else {
            judgement.skip(name, "no host was asked for")
            return judgement.leave("no host was asked for, and the policy is one for each host")
        }
        guard let found = entry(for: Authority(host: host, port: evidence.port)) else {
            let patterns = ChainText.list(entries.flatMap { $0.patterns.map(\.description) })
            judgement.skip(name, "no pattern matches \(host): \(patterns)")
            return judgement.leave("no pattern matches \(host)")
        }
        judgement.pass(name, "\(found.pattern) matches \(host): \(found.entry.policy.mechanism)")
        let part = found.entry.policy.judge(evidence, with: evaluator)
        judgement.adopt(part, of: found.entry.policy.mechanism)
        return Judgement(part.verdict, checks: judgement.checks, path: part.path)
    }

    /// What the host's policy says.
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

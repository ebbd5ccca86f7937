import PinholeFilter
package import PinholeModel

/// The environment of rules: the facts outside of the rules that decide whether they can act.
package struct RuleSurroundings {
    /// Returns the kind of file at a path.
    let pathKind: (String) -> RuleSet.PathKind
    /// The hosts whose tunnels are relayed without decryption.
    let passthrough: HostRules?
    /// The host of the proxy itself; `nil` if there is none.
    let ownHost: Host?
    /// The addresses on which the proxy listens.
    let listeners: [Authority]

    /// Creates surroundings.
    package init(
        pathKind: @escaping (String) -> RuleSet.PathKind,
        passthrough: HostRules? = nil,
        ownHost: Host? = nil,
        listeners: [Authority] = []
    ) {
        self.pathKind = pathKind
        self.passthrough = passthrough
        self.ownHost = ownHost
        self.listeners = listeners
    }

    /// Remarks about reasons that keep a rule from acting on some or all of its matches.
    func remarks(on rule: Rule) -> [String] {
        if case .mapRemote(let map) = rule.action,
            listeners.contains(where: { $0.isReached(by: map.authority) })
        {
            return ["it asks \(map.authority), where the proxy itself listens (proxy.listen)"]
        }
        guard let host = rule.filter.host else { return [] }
        if host == ownHost { return ["it can never act: the proxy answers for \(host) itself"] }
        // A relayed tunnel can still be slowed down.
        guard rule.action.kind != .throttle, rule.filter.mayMeanHTTPS,
            let decision = passthrough?.decision(for: host)
        else { return [] }
        return [
            "tunnels to \(host) are passed through (tls.passthrough: \(decision)): of them it sees plain HTTP alone"
        ]
    }
}

extension HostRules {
    /// The rule that matches a host on every port; `nil` if the port decides or no rule matches.
    fileprivate func decision(for host: Host) -> HostRules.Rule? {
        let last = rules.last { $0.pattern.matches(Authority(host: host, port: $0.pattern.port ?? 443)) }
        guard let last, last.pattern.port == nil, !last.isNegated else { return nil }
        return last
    }
}

extension Authority {
    /// Whether a connection to `other` reaches the listener at this address.
    fileprivate func isReached(by other: Authority) -> Bool {
        guard port == other.port, port != 0, let own = host.address else { return false }
        switch other.host {
        case .name("localhost"): return ["127.0.0.1", "::1"].contains(own.description)
        case .name: return false
        case .address(let address): return address == own
        }
    }
}

extension Filter {
    /// The host that the filter requires; `nil` if it does not require a single one.
    fileprivate var host: Host? {
        for case .text(.host, .equal(let name)) in root.conjuncts { return try? Host(name) }
        return nil
    }

    /// Whether the filter can match encrypted traffic.
    fileprivate var mayMeanHTTPS: Bool {
        !root.conjuncts.contains { node in
            switch node {
            case .not(.flag(.https)): true
            case .text(.scheme, .equal(let scheme)): scheme.lowercased() == Scheme.http.rawValue
            default: false
            }
        }
    }
}

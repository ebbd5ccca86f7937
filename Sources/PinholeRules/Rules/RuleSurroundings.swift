import PinholeFilter
package import PinholeModel

/// What rules are used in: what decides, beside them, whether they can act.
package struct RuleSurroundings {
    /// Says what lies at a path.
    let pathKind: (String) -> RuleSet.PathKind
    /// The hosts whose tunnels are relayed unread.
    let passthrough: HostRules?
    /// The host of the proxy itself; `nil` for none.
    let ownHost: Host?
    /// Where the proxy listens.
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

    /// What keeps a rule from acting, or from acting on all that it means.
    func remarks(on rule: Rule) -> [String] {
        if case .mapRemote(let map) = rule.action,
            listeners.contains(where: { $0.isReached(by: map.authority) })
        {
            return ["it asks \(map.authority), where the proxy itself listens (proxy.listen)"]
        }
        guard let host = rule.filter.host else { return [] }
        if host == ownHost { return ["it can never act: the proxy answers for \(host) itself"] }
        // Of a tunnel that is relayed the bytes can be made slow all the same.
        guard rule.action.kind != .throttle, rule.filter.mayMeanHTTPS,
            let decision = passthrough?.decision(for: host)
        else { return [] }
        return [
            "tunnels to \(host) are relayed unread (tls.passthrough: \(decision)): of them it sees plain HTTP alone"
        ]
    }
}

extension HostRules {
    /// The rule that takes in a host whatever the port; `nil` where the port decides, or it is not in.
    fileprivate func decision(for host: Host) -> HostRules.Rule? {
        let last = rules.last { $0.pattern.matches(Authority(host: host, port: $0.pattern.port ?? 443)) }
        guard let last, last.pattern.port == nil, !last.isNegated else { return nil }
        return last
    }
}

extension Authority {
    /// Whether a connection to `other` arrives here, at the address of a listener.
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
    /// The one host that this asks for; `nil` for several.
    fileprivate var host: Host? {
        for case .text(.host, .equal(let name)) in root.conjuncts { return try? Host(name) }
        return nil
    }

    /// Whether what this means can be encrypted.
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

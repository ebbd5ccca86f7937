package import PinholeModel

extension AllPolicy: PinningPolicy {
    /// The hosts that its policies name.
    package var scopes: [PolicyOutline.Scope] { policies.flatMap(\.namedScopes) }

    /// The same policies with other pins.
    package func replacingPins(for host: Host, _ replace: Replacement) -> any TrustPolicy {
        AllPolicy(of: policies.map { $0.withPins(for: host, replace) })
    }

    /// Those of its policies.
    package func unusablePins(for host: Host) -> [String] { policies.flatMap { $0.deadPins(for: host) } }

    /// The same policies after the visit.
    package func remembering(_ key: [UInt8], at authority: Authority) -> any TrustPolicy {
        AllPolicy(of: policies.map { $0.afterVisit(to: key, at: authority) })
    }
}

extension AnyPolicy: PinningPolicy {
    /// The hosts that its policies name.
    package var scopes: [PolicyOutline.Scope] { policies.flatMap(\.namedScopes) }

    /// The same policies with other pins.
    package func replacingPins(for host: Host, _ replace: Replacement) -> any TrustPolicy {
        AnyPolicy(of: policies.map { $0.withPins(for: host, replace) })
    }

    /// Those of its policies.
    package func unusablePins(for host: Host) -> [String] { policies.flatMap { $0.deadPins(for: host) } }

    /// The same policies after the visit.
    package func remembering(_ key: [UInt8], at authority: Authority) -> any TrustPolicy {
        AnyPolicy(of: policies.map { $0.afterVisit(to: key, at: authority) })
    }
}

extension HostPolicies: PinningPolicy {
    /// The patterns.
    package var scopes: [PolicyOutline.Scope] { entries.flatMap { $0.patterns.map(\.scope) } }

    /// The same with other pins in every entry that can mean the host.
    package func replacingPins(for host: Host, _ replace: Replacement) -> any TrustPolicy {
        var policy = self
        policy.entries = entries.map { entry in
            guard entry.patterns.contains(where: { $0.scope.matches(host) }) else { return entry }
            return Entry(entry.patterns, entry.policy.withPins(for: host, replace))
        }
        return policy
    }

    /// Those of every entry that can mean the host.
    package func unusablePins(for host: Host) -> [String] {
        entries.filter { $0.patterns.contains { $0.scope.matches(host) } }
            .flatMap { $0.policy.deadPins(for: host) }
    }

    /// The same with the entry that decides after the visit.
    package func remembering(_ key: [UInt8], at authority: Authority) -> any TrustPolicy {
        var policy = self
        policy.entries = entries.map { entry in
            guard entry.patterns.contains(where: { $0.matches(authority) }) else { return entry }
            return Entry(entry.patterns, entry.policy.afterVisit(to: key, at: authority))
        }
        return policy
    }
}

extension HostPattern {
    /// The hosts that it means, at its own port where it has one.
    fileprivate var scope: PolicyOutline.Scope {
        var scope = PolicyOutline.Scope(description) { host in
            matches(Authority(host: host, port: port ?? 443))
        }
        scope.port = port
        return scope
    }
}

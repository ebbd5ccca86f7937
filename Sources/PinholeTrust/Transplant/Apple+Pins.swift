package import PinholeModel

extension AFSecurityPolicy: PinningPolicy {
    /// The same with other certificates.
    package func replacingPins(for host: Host, _ replace: Replacement) -> any TrustPolicy {
        var policy = self
        policy.pinnedCertificates = PinnedList.replacing(pinnedCertificates, .any, replace)
        return policy
    }
}

extension AlamofirePinnedCertificatesPolicy: PinningPolicy {
    /// The same with other certificates.
    package func replacingPins(for host: Host, _ replace: Replacement) -> any TrustPolicy {
        var policy = self
        policy.certificates = PinnedList.replacing(certificates, .any, replace)
        return policy
    }
}

extension AlamofirePublicKeysPolicy: PinningPolicy {
    /// The same with the keys of other certificates.
    package func replacingPins(for host: Host, _ replace: Replacement) -> any TrustPolicy {
        var policy = self
        policy.certificates = PinnedList.replacing(certificates, .any, replace)
        return policy
    }
}

extension AlamofireCompositePolicy: PinningPolicy {
    /// The hosts that its evaluators name.
    package var scopes: [PolicyOutline.Scope] { evaluators.flatMap(\.namedScopes) }

    /// The same evaluators with other pins.
    package func replacingPins(for host: Host, _ replace: Replacement) -> any TrustPolicy {
        var policy = self
        policy.evaluators = evaluators.map { evaluator in
            evaluator.withPins(for: host, replace) as? any AlamofireEvaluator ?? evaluator
        }
        return policy
    }
}

extension ApplePolicy: PinningPolicy {
    /// The domains of `NSPinnedDomains`.
    package var scopes: [PolicyOutline.Scope] {
        domains.sorted { $0.key < $1.key }.map { PolicyOutline.Scope($0.value.rule($0.key)) }
    }

    /// The same with other keys in both lists of the entry that holds for the host.
    package func replacingPins(for host: Host, _ replace: Replacement) -> any TrustPolicy {
        guard let name = domain(for: host.description), var domain = domains[name] else { return self }
        domain.leafIdentities = PinnedList.replacing(domain.leafIdentities, .leaf, replace)
        domain.caIdentities = PinnedList.replacing(domain.caIdentities, .authorities, replace)
        var policy = self
        policy.domains[name] = domain
        return policy
    }
}

extension TrustKitPolicy: PinningPolicy {
    /// The domains of `TSKPinnedDomains`.
    package var scopes: [PolicyOutline.Scope] {
        pinnedDomains.sorted { $0.key < $1.key }.map { name, domain in
            PolicyOutline.Scope(DomainRule(name, domain.includeSubdomains ? .everything : .exact))
        }
    }

    /// The same with other keys for the domain that holds for the host.
    package func replacingPins(for host: Host, _ replace: Replacement) -> any TrustPolicy {
        guard let name = domain(for: host.description), var domain = pinnedDomains[name] else { return self }
        domain.publicKeyHashes = PinnedList.replacing(domain.publicKeyHashes, .any, replace)
        var policy = self
        policy.pinnedDomains[name] = domain
        return policy
    }
}

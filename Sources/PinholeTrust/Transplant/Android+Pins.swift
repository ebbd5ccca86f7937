package import PinholeModel

extension OkHttpPolicy: PinningPolicy {
    /// The patterns.
    package var scopes: [PolicyOutline.Scope] {
        pins.map(\.pattern).uniqued.map { pattern in
            PolicyOutline.Scope("\(pattern)") { pattern.matches($0) }
        }
    }

    /// The same with other keys for every pattern that means the host; OkHttp unites them.
    package func replacingPins(for host: Host, _ replace: Replacement) -> any TrustPolicy {
        let own = pins.filter { $0.pattern.matches(host) }.map(\.pin)
        var replaced = PinnedList.replacing(own, .any, replace).makeIterator()
        return OkHttpPolicy(
            pins: pins.map { pin in
                guard pin.pattern.matches(host), let other = replaced.next() else { return pin }
                return OkHttpPin(pin.pattern, other)
            }
        )
    }
}

extension AndroidPolicy: PinningPolicy {
    /// The domains of the `<domain-config>`s.
    package var scopes: [PolicyOutline.Scope] {
        domainSettings.compactMap { $0.domain.map { PolicyOutline.Scope($0) } }
    }

    /// The same with other keys in the pin-set, and other certificates among the trust anchors, that hold for
    /// the host.
    package func replacingPins(for host: Host, _ replace: Replacement) -> any TrustPolicy {
        var settings = settings(for: host)
        if let set = settings.pinSet {
            settings.pinSet?.pins = PinnedList.replacing(set.pins, .any, replace)
        }
        settings.trustAnchors = settings.trustAnchors.map { entry in
            guard case .raw(let name, let certificates) = entry.source else { return entry }
            var entry = entry
            entry.source = .raw(name, PinnedList.replacing(certificates, .authorities, replace))
            return entry
        }
        return holding(settings)
    }
}

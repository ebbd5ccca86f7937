package import PinholeModel

extension TOFUPolicy: PinningPolicy {
    /// The hosts and ports of the store.
    package var scopes: [PolicyOutline.Scope] {
        store.entries.map { entry in
            var scope = PolicyOutline.Scope(entry.host) { entry.means($0, entry.port ?? 443) }
            scope.port = entry.port
            return scope
        }
    }

    /// The same store with other keys in the lines of the host.
    package func replacingPins(for host: Host, _ replace: Replacement) -> any TrustPolicy {
        var policy = self
        let values = store.entries.map { entry in
            entry.means(host, entry.port ?? 443) ? entry.key.value : nil
        }
        var replaced = replace(PinnedList(.leaf, values.compactMap(\.self))).makeIterator()
        for (index, value) in values.enumerated() where value != nil {
            guard let other = replaced.next() else { break }
            policy.store.entries[index].key.hold(other)
        }
        return policy
    }

    /// The lines of the host with a digest that nothing here computes.
    package func unusablePins(for host: Host) -> [String] {
        store.entries.compactMap { entry in
            guard entry.means(host, entry.port ?? 443), entry.key.value == nil,
                case .digest(let algorithm, _) = entry.key
            else { return nil }
            return "the digest of “\(entry.host)” by GnuTLS's algorithm \(algorithm)"
        }
    }

    /// The same store with the server's key, where it knows none of the host and port.
    package func remembering(_ key: [UInt8], at authority: Authority) -> any TrustPolicy {
        guard !store.entries.contains(where: { $0.means(authority.host, authority.port) }) else {
            return self
        }
        var policy = self
        policy.store.entries.append(
            KnownHosts.Entry(
                host: authority.host.description,
                service: String(authority.port),
                key: .spki(key)
            )
        )
        return policy
    }
}

extension KnownHosts.Entry {
    /// The port of the service; `nil` where it stands for every one, or has a name that is not known here.
    fileprivate var port: UInt16? {
        switch service {
        case "https": 443
        case "http": 80
        default: UInt16(service)
        }
    }
}

extension KnownHosts.Entry.Key {
    /// What it pins; `nil` for a digest that nothing here computes.
    fileprivate var value: PinnedValue? {
        switch self {
        case .spki(let bytes): PinnedValue(.key, bytes)
        case .digest(3, let bytes): PinnedValue(.keySHA1, bytes)
        case .digest(6, let bytes): PinnedValue(.keySHA256, bytes)
        case .digest(8, let bytes): PinnedValue(.keySHA512, bytes)
        case .digest: nil
        }
    }

    fileprivate mutating func hold(_ value: PinnedValue) {
        switch self {
        case .spki: self = .spki(value.bytes)
        case .digest(let algorithm, _): self = .digest(algorithm: algorithm, value.bytes)
        }
    }
}

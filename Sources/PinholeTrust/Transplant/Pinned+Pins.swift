package import PinholeModel

extension SPKIPolicy: PinningPolicy {
    /// The same with other keys.
    package func replacingPins(for host: Host, _ replace: Replacement) -> any TrustPolicy {
        SPKIPolicy(pins: PinnedList.replacing(pins, scope.position, replace), scope: scope)
    }
}

extension CertificatePolicy: PinningPolicy {
    /// The same with other certificates.
    package func replacingPins(for host: Host, _ replace: Replacement) -> any TrustPolicy {
        CertificatePolicy(
            certificates: PinnedList.replacing(certificates, scope.position, replace),
            scope: scope
        )
    }
}

extension RawKeyPolicy: PinningPolicy {
    /// The same with other raw keys.
    package func replacingPins(for host: Host, _ replace: Replacement) -> any TrustPolicy {
        let values = pins.map { PinnedValue(.rawKeySHA256, $0.digest) }
        return RawKeyPolicy(pins: zip(pins, replace(PinnedList(.leaf, values))).map { Pin($1) ?? $0 })
    }
}

extension AnchorsOnlyPolicy: PinningPolicy {
    /// The same with other anchors.
    package func replacingPins(for host: Host, _ replace: Replacement) -> any TrustPolicy {
        AnchorsOnlyPolicy(anchors: PinnedList.replacing(anchors, .authorities, replace))
    }
}

extension BrokenPolicy: PinningPolicy {
    /// The same with other keys.
    package func replacingPins(for host: Host, _ replace: Replacement) -> any TrustPolicy {
        var policy = self
        let position = kind == .unvalidatedSPKI ? scope.position : .any
        policy.pins = PinnedList.replacing(pins, position, replace)
        return policy
    }
}

extension CurlPolicy: PinningPolicy {
    /// The same with other keys; what can never match stays.
    package func replacingPins(for host: Host, _ replace: Replacement) -> any TrustPolicy {
        CurlPolicy(pinnedPublicKey: pinnedPublicKey.map { replacing($0, replace) }, insecure: insecure)
    }

    private func replacing(_ pinned: CurlPinnedKey, _ replace: Replacement) -> CurlPinnedKey {
        switch pinned {
        case .digests(let texts):
            let pins = texts.map { try? Pin(base64: $0) }
            var replaced = PinnedList.replacing(pins.compactMap(\.self), .leaf, replace).makeIterator()
            return .digests(
                zip(texts, pins).map { text, pin in pin == nil ? text : replaced.next()?.base64 ?? text }
            )
        case .file:
            guard let key = pinned.fileKey,
                let value = replace(PinnedList(.leaf, [PinnedValue(.key, key)])).first
            else { return pinned }
            return value.bytes == key ? pinned : .file(value.bytes)
        case .unreadable: return pinned
        }
    }

    /// What can never match.
    package func unusablePins(for host: Host) -> [String] {
        switch pinnedPublicKey {
        case .digests(let texts):
            texts.filter { (try? Pin(base64: $0)) == nil }.map { "“\($0)”, which is no SHA-256 in Base64" }
        case .file where pinnedPublicKey?.fileKey == nil:
            ["the file of pinnedPublicKey, which holds no public key"]
        case .unreadable(let reason): ["pinnedPublicKey: \(reason)"]
        case .file, nil: []
        }
    }
}

extension HPKPPolicy: PinningPolicy {
    /// The same header with other keys.
    package func replacingPins(for host: Host, _ replace: Replacement) -> any TrustPolicy {
        var policy = self
        policy.header.pins = PinnedList.replacing(header.pins, .any, replace)
        return policy
    }
}

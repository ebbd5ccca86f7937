extension SPKIPolicy: OutlinedPolicy {
    /// The pins.
    package var outline: PolicyOutline {
        guard !pins.isEmpty else {
            return PolicyOutline(findings: [.emptyPins(at: "pins", "Every server is refused then.")])
        }
        var list = PolicyOutline.PinList(path: "pins", scope: nil, pins: pins)
        list.position = scope == .leaf ? .leaf : .any
        return PolicyOutline(lists: [list])
    }
}

extension RawKeyPolicy: OutlinedPolicy {
    /// The pins, which are of raw keys.
    package var outline: PolicyOutline {
        var list = PolicyOutline.PinList(path: "pins", scope: nil, pins: pins)
        list.position = .leaf
        list.isRaw = true
        return PolicyOutline(
            lists: [list],
            findings: [
                LintFinding(
                    .rawKey,
                    .hint,
                    at: "pins",
                    "These are hashes of raw keys (SecKeyCopyExternalRepresentation), which no other mechanism knows.",
                    remedy:
                        "Pin the SubjectPublicKeyInfo, so that pins can be shared and checked with other tools."
                )
            ]
        )
    }
}

extension CertificatePolicy: OutlinedPolicy {
    /// The certificates.
    package var outline: PolicyOutline {
        guard !certificates.isEmpty else {
            return PolicyOutline(findings: [.emptyPins(at: "certificates", "Every server is refused then.")])
        }
        var list = PolicyOutline.PinList(certificates: certificates, path: "certificates")
        list.certificates = certificates
        list.position = scope == .leaf ? .leaf : .any
        return PolicyOutline(
            lists: [list],
            findings: certificates.compactMap { .leafCertificate($0, at: "certificates") }
        )
    }
}

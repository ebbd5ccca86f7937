import PinholeCrypto
import PinholeModel
import PinholeTrust

extension ChainFamily {
    /// Faults of the authorities themselves.
    mutating func addAuthorities() throws {
        typealias Certificate = CraftedCertificate
        let faults: [(String, ChainFault.Kind?, ChainForge.Edit)] = [
            ("CA:FALSE", .notAuthority, { $0.setBasicConstraints(authority: false) }),
            ("no basicConstraints", .notAuthority, { $0.set(Certificate.basicConstraints, nil) }),
            (
                "basicConstraints not critical", .malformed,
                {
                    $0.setBasicConstraints(authority: true, isCritical: false)
                }
            ),
            ("keyUsage without keyCertSign", .notAuthority, { $0.setKeyUsage(.cRLSign) }),
            ("no keyUsage", .malformed, { $0.setKeyUsage(nil) }),
            ("clientAuth only", .wrongPurpose, { $0.setPurposes([ChainForge.Purpose.client]) }),
            ("serverAuth", nil, { $0.setPurposes([ChainForge.Purpose.server]) }),
            ("anyExtendedKeyUsage", .wrongPurpose, { $0.setPurposes([ChainForge.Purpose.any]) }),
            (
                "unknown critical extension", .unknownExtension,
                {
                    $0.set("1.3.6.1.4.1.99999.7", isCritical: true, ASN1.null)
                }
            ),
            ("unknown extension", nil, { $0.set("1.3.6.1.4.1.99999.7", ASN1.null) }),
            (
                "version 1", .notAuthority,
                {
                    $0.version = 0
                    $0.extensions = []
                }
            ),
            ("no subjectKeyIdentifier", .malformed, { $0.set(Certificate.subjectKeyIdentifier, nil) }),
        ]
        for (label, fault, edit) in faults {
            for depth in 0...2 {
                for place in 1...depth + 1 {
                    let role = place == depth + 1 ? "root" : "authority"
                    try add(
                        "\(label), \(role) \(place) of \(depth)",
                        factor: "\(label), \(role)",
                        try forge.chain(depth, .p256, [place: edit]),
                        fault: fault
                    )
                }
            }
        }
    }

    /// Each limit at each place; a limit counts the authorities below, the leaf not.
    mutating func addPathLengths() throws {
        for depth in 1...3 {
            for place in 1...depth + 1 {
                for limit in UInt8(0)...2 {
                    let role = place == depth + 1 ? "root" : "authority"
                    let isKept = place - 1 <= Int(limit)
                    try add(
                        "path length \(limit), \(role) \(place) of \(depth)",
                        factor: "path length \(isKept ? "kept" : "exceeded"), \(role)",
                        try forge.chain(
                            depth,
                            .p256,
                            [place: { $0.setBasicConstraints(authority: true, pathLength: limit) }]
                        ),
                        fault: isKept ? nil : .pathTooLong
                    )
                }
            }
        }
        for (label, bytes) in [
            ("huge", [0x7f, 0xff, 0xff, 0xff]), ("absurd", [UInt8](repeating: 0x7f, count: 40)),
        ] {
            let value = ASN1.sequence(ASN1.isTrue, ASN1.integer(bytes))
            try add(
                "\(label) path length",
                try forge.chain(
                    1,
                    .p256,
                    [1: { $0.set(CraftedCertificate.basicConstraints, isCritical: true, value) }]
                )
            )
        }
        let negative = ASN1.sequence(ASN1.isTrue, ASN1.integer([0xff]))
        try add(
            "negative path length",
            try forge.chain(
                1,
                .p256,
                [1: { $0.set(CraftedCertificate.basicConstraints, isCritical: true, negative) }]
            ),
            fault: .malformed
        )
    }

    /// What an authority may sign for, and leaves within and without.
    mutating func addConstraints() throws {
        typealias Name = CraftedCertificate.Name
        let network = Name.address([127, 0, 0, 0, 255, 0, 0, 0])
        let foreign = Name.address([10, 0, 0, 0, 255, 0, 0, 0])
        let constraints: [(String, permitted: [Name], excluded: [Name])] = [
            ("permitted domain", [.dns("family.test")], []),
            ("permitted host", [.dns("www.family.test")], []),
            ("permitted with dot", [.dns(".family.test")], []),
            ("permitted other", [.dns("other.test")], []),
            ("permitted two", [.dns("other.test"), .dns("family.test")], []),
            ("excluded domain", [], [.dns("family.test")]),
            ("excluded part", [], [.dns("bad.family.test")]),
            ("excluded suffix", [], [.dns("amily.test")]),
            ("permitted and excluded", [.dns("family.test")], [.dns("bad.family.test")]),
            ("permitted network", [network], []),
            ("permitted other network", [foreign], []),
            ("excluded network", [], [network]),
        ]
        let leaves: [(host: String, names: [Name])] = [
            ("www.family.test", [.dns("www.family.test")]),
            ("bad.family.test", [.dns("bad.family.test")]),
            ("family.test", [.dns("FAMILY.test")]),
            ("www.family.test", [.dns("*.family.test")]),
            ("www.family.test", [.dns("www.family.test"), .dns("www.other.test")]),
            ("127.0.0.1", [.address([127, 0, 0, 1])]),
        ]
        for (label, permitted, excluded) in constraints {
            for (number, leaf) in leaves.enumerated() {
                for place in [1, 2] {
                    let isKept = leaf.names.allSatisfy { name in
                        Self.permits(permitted, excluded, name)
                    }
                    let text = leaf.names.map(Self.text).joined(separator: " ")
                    try add(
                        "\(label), \(text), \(place == 1 ? "authority" : "root")",
                        factor: "\(label), leaf \(number), \(place == 1 ? "authority" : "root")",
                        try forge.chain(
                            1,
                            .p256,
                            [
                                0: { $0.setNames(leaf.names) },
                                place: { $0.setConstraints(permitted: permitted, excluded: excluded) },
                            ]
                        ),
                        host: leaf.host,
                        fault: isKept ? nil : .nameConstraints
                    )
                }
            }
        }
    }

    /// RFC 5280 §4.2.1.10 in a few lines of its own; a leading dot stands for what is below.
    private static func permits(
        _ permitted: [CraftedCertificate.Name],
        _ excluded: [CraftedCertificate.Name],
        _ name: CraftedCertificate.Name
    ) -> Bool {
        let ofKind = permitted.filter { covers($0, name) != nil }
        return (ofKind.isEmpty || ofKind.contains { covers($0, name) == true })
            && !excluded.contains { covers($0, name) == true }
    }

    /// `nil` where the kinds differ.
    private static func covers(_ tree: CraftedCertificate.Name, _ name: CraftedCertificate.Name) -> Bool? {
        switch (tree, name) {
        case (.dns(let base), .dns(let host)):
            let host = host.lowercased()
            return base.hasPrefix(".") ? host.hasSuffix(base) : host == base || host.hasSuffix("." + base)
        case (.address(let network), .address(let address)):
            return network.count == address.count * 2
                && address.indices.allSatisfy {
                    address[$0] & network[$0 + address.count] == network[$0]
                }
        default: return nil
        }
    }

    static func text(_ name: CraftedCertificate.Name) -> String {
        switch name {
        case .dns(let text): text
        case .uri(let text): "uri:\(text)"
        case .email(let text): "mailto:\(text)"
        case .address(let bytes): bytes.map(String.init).joined(separator: ".")
        }
    }
}

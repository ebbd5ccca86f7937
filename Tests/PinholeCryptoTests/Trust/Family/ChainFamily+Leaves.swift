import PinholeCrypto
import PinholeModel
import PinholeTrust

extension ChainFamily {
    /// Each way to write names against each host.
    mutating func addNames() throws {
        typealias Name = CraftedCertificate.Name
        let writings: [(String, [Name]?)] = [
            ("exact", [.dns("www.family.test")]),
            ("upper case", [.dns("WWW.Family.TEST")]),
            ("second of two", [.dns("other.test"), .dns("www.family.test")]),
            ("trailing dot", [.dns("www.family.test.")]),
            ("wildcard", [.dns("*.family.test")]),
            ("partial wildcard", [.dns("w*.family.test")]),
            ("wildcard in the middle", [.dns("www.*.test")]),
            ("double wildcard", [.dns("*.*.test")]),
            ("wildcard of a TLD", [.dns("*.test")]),
            ("bare wildcard", [.dns("*")]),
            ("NUL", [.dns("www.family.test\0.evil.test")]),
            ("address as name", [.dns("127.0.0.1")]),
            ("address", [.address([127, 0, 0, 1])]),
            ("address of IPv6", [.address([UInt8](repeating: 0, count: 15) + [1])]),
            ("mapped address", [.address([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 127, 0, 0, 1])]),
            ("URI", [.uri("https://www.family.test/")]),
            ("mail", [.email("www@family.test")]),
            ("A-label", [.dns("xn--bcher-kva.family.test")]),
            ("wildcard in an A-label", [.dns("xn--*.family.test")]),
            ("common name only", nil),
            ("other", [.dns("www.other.test")]),
        ]
        let hosts = [
            "www.family.test", "family.test", "a.www.family.test", "127.0.0.1", "::1",
            "xn--bcher-kva.family.test",
        ]
        for (label, names) in writings {
            let chain = try forge.chain(0, .p256, [0: { $0.setNames(names) }])
            for host in hosts {
                let isNamed = (names ?? []).contains { Self.names($0, host) }
                try add(
                    "\(label), \(host)",
                    factor: "name: \(label), \(host)",
                    chain,
                    host: host,
                    fault: isNamed ? nil : .wrongName
                )
            }
        }
    }

    /// RFC 9525 §6.3 in a few lines of its own: one whole label for a wildcard, at least two behind it.
    private static func names(_ name: CraftedCertificate.Name, _ host: String) -> Bool {
        guard let host = try? Host(host) else { return false }
        switch (name, host) {
        case (.dns(let text), .name(let host)):
            let text = text.lowercased()
            guard text.hasPrefix("*.") else { return text == host }
            let rest = text.dropFirst(2)
            let parent = host.split(separator: ".").dropFirst().joined(separator: ".")
            return rest.contains(".") && !rest.contains("*") && rest == parent
        case (.address(let bytes), .address(let address)): return bytes == address.bytes
        default: return false
        }
    }

    /// Each extendedKeyUsage with each keyUsage.
    mutating func addUsages() throws {
        typealias Purpose = ChainForge.Purpose
        let purposes: [(String, [String], Bool)] = [
            ("no purpose", [], true),
            ("serverAuth", [Purpose.server], true),
            ("clientAuth", [Purpose.client], false),
            ("both", [Purpose.client, Purpose.server], true),
            ("any purpose", [Purpose.any], false),
            ("codeSigning", [Purpose.code], false),
            ("unknown purpose", [Purpose.unknown], false),
        ]
        let usages: [(String, CraftedCertificate.KeyUsage?, ChainFault.Kind?)] = [
            ("no usage", nil, nil),
            ("digitalSignature", .digitalSignature, nil),
            ("keyEncipherment", .keyEncipherment, nil),
            ("keyAgreement", .keyAgreement, nil),
            ("dataEncipherment", .dataEncipherment, .wrongPurpose),
            ("keyCertSign", [.digitalSignature, .keyCertSign], .malformed),
        ]
        for (label, list, isFit) in purposes {
            for (usage, bits, fault) in usages {
                let chain = try forge.chain(
                    1,
                    .p256,
                    [
                        0: { template in
                            template.setPurposes(list)
                            template.setKeyUsage(bits)
                        }
                    ]
                )
                try add(
                    "\(label), \(usage)",
                    factor: "usage: \(label), \(usage)",
                    chain,
                    fault: fault == .malformed ? .malformed : isFit ? fault : .wrongPurpose
                )
            }
        }
    }

    /// Other peculiarities of the leaf.
    mutating func addLeaves() throws {
        typealias Certificate = CraftedCertificate
        let edits: [(String, ChainFault.Kind?, ChainForge.Edit)] = [
            ("leaf is an authority", nil, { $0.setBasicConstraints(authority: true) }),
            (
                "leaf with path length", .malformed,
                { $0.setBasicConstraints(authority: false, pathLength: 0) }
            ),
            ("leaf without basicConstraints", nil, { $0.set(Certificate.basicConstraints, nil) }),
            ("leaf of version 1", .malformed, { $0.version = 0 }),
            ("no authorityKeyIdentifier", .malformed, { $0.set(Certificate.authorityKeyIdentifier, nil) }),
            ("no subjectKeyIdentifier", nil, { $0.set(Certificate.subjectKeyIdentifier, nil) }),
            ("empty subject", .malformed, { $0.subject = nil }),
            (
                "empty subject, critical names", nil,
                {
                    $0.subject = nil
                    $0.setNames([.dns(ChainForge.host)], isCritical: true)
                }
            ),
            ("empty list of names", .malformed, { $0.setNames([]) }),
            (
                "unknown critical extension", .unknownExtension,
                {
                    $0.set("1.3.6.1.4.1.99999.7", isCritical: true, ASN1.null)
                }
            ),
            ("unknown extension", nil, { $0.set("1.3.6.1.4.1.99999.7", ASN1.null) }),
            (
                "extension twice", .malformed,
                { template in
                    template.extensions += template.extensions.filter {
                        $0.identifier == Certificate.subjectAltName
                    }
                }
            ),
            ("serial zero", nil, { $0.serial = [0] }),
            ("negative serial", nil, { $0.serial = [0xf0, 1] }),
            ("serial of 30 bytes", nil, { $0.serial = [UInt8](repeating: 0x11, count: 30) }),
            (
                "name constraints in the leaf", nil,
                {
                    $0.setConstraints(permitted: [.dns("other.test")], excluded: [])
                }
            ),
            ("issuer of another name", .untrusted, { $0.issuer = "Somebody else" }),
        ]
        for (label, fault, edit) in edits {
            try add(label, factor: "leaf: \(label)", try forge.chain(1, .p256, [0: edit]), fault: fault)
        }
    }
}

/// A matter in which programs that others wrote say another thing than we do; docs/INSIDE.md explains each.
struct Disagreement {
    /// Its title in docs/INSIDE.md.
    let title: String
    /// The factors that show it; a `*` at the end stands for anything.
    let factors: [ForeignJudge: [String]]

    /// Whether `judge` is expected to differ about `factor`.
    func covers(_ factor: String, _ judge: ForeignJudge) -> Bool {
        (factors[judge] ?? []).contains { Self.matches($0, factor) }
    }

    /// Whether `listed` means `factor`.
    static func matches(_ listed: String, _ factor: String) -> Bool {
        listed.last == "*" ? factor.hasPrefix(listed.dropLast()) : factor == listed
    }

    static let all = [
        Disagreement(
            title: "Name constraints and the common name",
            factors: [
                .openssl: constrainedCommonNames, .gnutls: constrainedCommonNames,
                .curl: constrainedCommonNames,
            ]
        ),
        Disagreement(
            title: "The common name as a host",
            factors: [
                .openssl: [
                    "name: common name only, www.family.test", "name: URI, www.family.test",
                    "name: mail, www.family.test", "name: address, www.family.test",
                    "name: address of IPv6, www.family.test", "name: mapped address, www.family.test",
                ],
                .gnutls: ["name: common name only, www.family.test", "name: mail, www.family.test"],
                .curl: [
                    "name: common name only, www.family.test", "name: URI, www.family.test",
                    "name: mail, www.family.test",
                ],
            ]
        ),
        Disagreement(
            title: "A list of names without a name",
            factors: [.gnutls: ["leaf: empty list of names"], .curl: ["leaf: empty list of names"]]
        ),
        Disagreement(
            title: "Partial wildcards",
            factors: [.openssl: ["name: partial wildcard, www.family.test"]]
        ),
        Disagreement(
            title: "A dot at the end of a name",
            factors: [.curl: ["name: trailing dot, www.family.test"]]
        ),
        Disagreement(
            title: "Anchors that nobody calls a root",
            factors: [
                .gnutls: [
                    "anchor is authority, whole", "anchor is authority, partial", "anchor is leaf, partial",
                ],
                .curl: ["anchor is authority, whole", "anchor is leaf, whole"],
            ]
        ),
        Disagreement(
            title: "A leaf as anchor",
            factors: [
                .gnutls: [
                    "self-signed leaf, trusted", "self-signed authority, trusted", "anchor is leaf, partial",
                ]
            ]
        ),
        Disagreement(
            title: "Form that RFC 5280 asks for",
            factors: [
                .gnutls: strictForms + [
                    "leaf: empty subject", "leaf: leaf with path length", "leaf: no authorityKeyIdentifier",
                    "usage: both, keyCertSign", "usage: no purpose, keyCertSign",
                    "usage: serverAuth, keyCertSign",
                ],
                .curl: strictForms + [
                    "leaf: empty subject", "leaf: leaf with path length", "leaf: no authorityKeyIdentifier",
                    "leaf: leaf of version 1", "usage: both, keyCertSign", "usage: no purpose, keyCertSign",
                    "usage: serverAuth, keyCertSign",
                ],
            ]
        ),
        Disagreement(
            title: "Roots without extensions",
            factors: [
                .gnutls: ["version 1, root", "no basicConstraints, root"],
                .curl: ["version 1, root", "no basicConstraints, root"],
            ]
        ),
        Disagreement(title: "The purpose of a root", factors: [.gnutls: ["clientAuth only, root"]]),
        Disagreement(
            title: "anyExtendedKeyUsage",
            factors: [.gnutls: ["usage: any purpose*", "anyExtendedKeyUsage, root"]]
        ),
        Disagreement(
            title: "keyUsage of the leaf",
            factors: [
                .gnutls: [
                    "usage: both, dataEncipherment", "usage: no purpose, dataEncipherment",
                    "usage: serverAuth, dataEncipherment",
                ]
            ]
        ),
        Disagreement(title: "Very long chains", factors: [.gnutls: ["long, 120"]]),
        Disagreement(
            title: "Numbers out of range",
            factors: [.gnutls: ["absurd path length", "negative path length"]]
        ),
        Disagreement(
            title: "An expired cross-certificate in front",
            factors: [.gnutls: ["crossed: expired cross first, both roots"]]
        ),
    ]

    /// Factors about which newer versions agree: GnuTLS 3.8, as in Debian 13, refuses a negative path length.
    static let settled: [ForeignJudge: String] = [.gnutls: "negative path length"]

    private static let constrainedCommonNames = [
        "excluded domain, leaf 5, authority", "excluded domain, leaf 5, root",
        "permitted other, leaf 5, authority",
        "permitted other, leaf 5, root",
    ]

    private static let strictForms = [
        "basicConstraints not critical, authority", "basicConstraints not critical, root",
        "no keyUsage, authority",
        "no keyUsage, root", "no subjectKeyIdentifier, authority", "no subjectKeyIdentifier, root",
    ]
}

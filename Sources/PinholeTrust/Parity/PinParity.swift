package import PinholeModel

/// The meaning of the pins of several policies for each host.
///
/// The apps and scripts of one service pin the same server, each in a file of its own platform. A key that one file
/// lacks locks out one platform on the day of its use.
package struct PinParity: Sendable {
    /// A part of the meaning of pins.
    package enum Aspect: String, Hashable, Sendable, CaseIterable {
        /// The pinned keys and certificates.
        case pins
        /// Whether the hosts below have the same pins.
        case subdomains
        /// The date after which nothing is pinned.
        case expiration
        /// Whether another key is refused.
        case enforcement
    }

    /// The meaning of the pins of one policy for one host.
    package struct Meaning: Hashable, Sendable {
        /// The pins as text, without duplicates, in the order of the settings: `sha256/…` for the digest of a key,
        /// `certificate sha256/…` for a whole certificate.
        package let pins: [String]
        /// Whether the hosts below have the same pins.
        package let includesSubdomains: Bool
        /// The date after which nothing is pinned; `nil` if there is none.
        package let expiration: Timestamp?
        /// Whether a valid chain with another key is refused.
        package let isEnforced: Bool
    }

    /// A host with the meaning of each policy.
    package struct Row: Sendable {
        /// The host for which the policies are asked.
        package let host: Host
        /// The meanings in the order of the policies; `nil` for a policy that pins nothing for the host.
        package let meanings: [Meaning?]
        /// The parts in which the meanings differ; empty if all are the same.
        package let differences: [Aspect]

        init(_ host: Host, _ meanings: [Meaning?]) {
            self.host = host
            self.meanings = meanings
            let known = meanings.compactMap(\.self)
            differences = Aspect.allCases.filter { aspect in
                switch aspect {
                case .pins: Set(meanings.map { Set($0?.pins ?? []) }).count > 1
                case .subdomains: Set(known.map(\.includesSubdomains)).count > 1
                case .expiration: Set(known.map(\.expiration)).count > 1
                case .enforcement: Set(known.map(\.isEnforced)).count > 1
                }
            }
        }
    }

    /// The hosts that a policy names, in their order.
    package let rows: [Row]

    /// Compares policies.
    ///
    /// - Parameters:
    ///   - policies: The policies.
    ///   - time: The moment at which pins are enforced or have expired.
    ///   - digest: Computes a SHA-256.
    package init(
        _ policies: [any TrustPolicy],
        at time: Timestamp,
        digest: ([UInt8]) -> [UInt8]
    ) {
        var seen: Set<Host> = []
        let hosts = policies.flatMap(\.scopes).compactMap(\.example).filter { seen.insert($0).inserted }
        rows = hosts.map { host in
            Row(host, policies.map { Self.meaning(of: $0, for: host, at: time, digest) })
        }
    }

    private static func meaning(
        of policy: any TrustPolicy,
        for host: Host,
        at time: Timestamp,
        _ digest: ([UInt8]) -> [UInt8]
    ) -> Meaning? {
        let lists = lists(of: policy, for: host)
        guard !lists.isEmpty else { return nil }
        let pins = pins(lists, digest)
        // The label is longer than any that people choose, so no document names it.
        let below = try? Host("pinhole-asks-for-a-name-that-nobody-has.\(host)")
        return Meaning(
            pins: pins,
            includesSubdomains: below.map {
                Set(self.pins(self.lists(of: policy, for: $0), digest)) == Set(pins)
            } ?? false,
            expiration: lists.compactMap(\.expiration).min(),
            isEnforced: refusesOtherKeys(policy, host, time)
        )
    }

    private static func lists(of policy: any TrustPolicy, for host: Host) -> [PinList] {
        policy.pinLists.filter { $0.comparison != .nothing && !$0.values.isEmpty && $0.holds(for: host) }
    }

    private static func pins(_ lists: [PinList], _ digest: ([UInt8]) -> [UInt8]) -> [String] {
        var seen: Set<String> = []
        let texts = lists.flatMap { list in
            list.values.map { value in
                // A mechanism that compares keys reads no more than the key of a certificate.
                if let certificate = value.certificate, list.comparison == .keys {
                    return certificate.pinText
                }
                switch value.notation {
                case .keySHA256: return "sha256/\(Base64.encode(value.bytes))"
                case .key: return "sha256/\(Base64.encode(digest(value.bytes)))"
                case .keySHA1: return "sha1/\(Base64.encode(value.bytes))"
                case .keySHA512: return "sha512/\(Base64.encode(value.bytes))"
                case .rawKeySHA256: return "raw key sha256/\(Base64.encode(value.bytes))"
                case .certificate: return "certificate sha256/\(Base64.encode(digest(value.bytes)))"
                case .certificateSHA256: return "certificate sha256/\(Base64.encode(value.bytes))"
                case .certificateSHA512: return "certificate sha512/\(Base64.encode(value.bytes))"
                }
            }
        }
        return texts.filter { seen.insert($0).inserted }
    }

    /// Whether a policy refuses a chain that is valid but has keys that nobody pinned.
    private static func refusesOtherKeys(_ policy: any TrustPolicy, _ host: Host, _ time: Timestamp) -> Bool {
        let leaf = CertificateFacts.unpinned("CN=\(host)", mark: 0xd5, names: [host], at: time)
        let root = CertificateFacts.unpinned("CN=Root", mark: 0xd6, at: time)
        let evidence = Evidence(
            host: host,
            presented: PresentedChain([leaf]),
            anchors: [root],
            time: time
        )
        let judgement = policy.judge(evidence, with: OneValidChain(leaf: leaf, root: root))
        if case .rejected = judgement.verdict { return true }
        return false
    }
}

/// An evaluator to which one chain is valid, wherever its root is an anchor.
private struct OneValidChain: ChainEvaluator {
    let leaf: CertificateFacts
    let root: CertificateFacts

    func evaluate(_ question: ChainQuestion) -> ChainAnswer {
        guard question.anchors.contains(root) else {
            return ChainAnswer(
                fault: ChainFault(.untrusted, depth: 0, "the chain leads to no anchor"),
                built: [leaf]
            )
        }
        return ChainAnswer(path: ValidatedChain([leaf, root]))
    }
}

extension CertificateFacts {
    /// Makes facts of a certificate that nobody has pinned; `mark` tells them apart.
    fileprivate static func unpinned(
        _ subject: String,
        mark: UInt8,
        names: [Host] = [],
        at time: Timestamp
    ) -> CertificateFacts {
        let bytes = [UInt8](repeating: mark, count: 32)
        return CertificateFacts(
            der: bytes,
            spki: bytes,
            key: bytes,
            keyKind: .rsa(2048),
            sha256: bytes,
            sha512: bytes + bytes,
            spkiSHA1: [UInt8](bytes.prefix(20)),
            spkiSHA256: bytes,
            spkiSHA512: bytes + bytes,
            rawKeySHA256: bytes,
            subject: subject,
            issuer: "CN=Root",
            names: names,
            notBefore: time - .seconds(86_400),
            notAfter: time + .seconds(86_400),
            isAuthority: names.isEmpty,
            pathLength: nil,
            isSelfSigned: names.isEmpty,
            signatureAlgorithm: "sha256WithRSAEncryption",
            signatureDigest: "SHA256"
        )
    }
}

import PinholeModel
import PinholeTrust

/// Certificates out of nothing: their digests are made of their names, nothing is signed.
enum Synthetic {
    /// The moment of the tests.
    static let now = Timestamp(seconds: 1_795_000_000)

    /// A certificate.
    ///
    /// - Parameters:
    ///   - name: Its subject; its key and digests follow from it.
    ///   - issuer: Its issuer's subject; itself where it is left out.
    ///   - key: The kind of key.
    ///   - hosts: The hosts that it names.
    ///   - signature: The algorithm of the signature.
    ///   - signatureDigest: The digest of the signature.
    ///   - notAfter: The end of its validity.
    /// - Returns: The facts.
    static func certificate(
        _ name: String,
        by issuer: String? = nil,
        key: CertificateFacts.Key = .curve("prime256v1"),
        hosts: [String] = [],
        signature: String = "ecdsa-with-SHA256",
        digest signatureDigest: String? = "SHA256",
        notAfter: Timestamp = now + .seconds(86_400)
    ) -> CertificateFacts {
        CertificateFacts(
            der: Array("certificate \(name) \(issuer ?? name)".utf8),
            spki: Array("spki \(name)".utf8),
            key: Array("key \(name)".utf8),
            keyKind: key,
            sha256: digest("certificate \(name) \(issuer ?? name)"),
            sha512: digest("sha512 \(name)") + digest("sha512 again \(name)"),
            spkiSHA1: Array(digest("sha1 \(name)").prefix(20)),
            spkiSHA256: digest("pin \(name)"),
            spkiSHA512: digest("spki512 \(name)") + digest("spki512 again \(name)"),
            rawKeySHA256: digest("raw \(name)"),
            subject: "CN=\(name)",
            issuer: "CN=\(issuer ?? name)",
            names: hosts.compactMap { try? Host($0) },
            notBefore: now - .seconds(86_400),
            notAfter: notAfter,
            isAuthority: hosts.isEmpty,
            pathLength: nil,
            isSelfSigned: issuer == nil,
            signatureAlgorithm: signature,
            signatureDigest: signatureDigest
        )
    }

    /// The pin of the key of a certificate by its name.
    static func pin(_ name: String) -> Pin {
        guard let pin = Pin(digest: digest("pin \(name)")) else {
            preconditionFailure("a digest has 32 bytes")
        }
        return pin
    }

    /// The pin that somebody makes who hashes the raw key.
    static func rawPin(_ name: String) -> Pin {
        guard let pin = Pin(digest: digest("raw \(name)")) else {
            preconditionFailure("a digest has 32 bytes")
        }
        return pin
    }

    /// 32 bytes that differ where names do; no digest.
    private static func digest(_ text: String) -> [UInt8] {
        var state: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 { state = (state ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return (0..<32).map { index in
            state = state &* 6_364_136_223_846_793_005 &+ UInt64(index) &+ 1
            return UInt8(truncatingIfNeeded: state >> 32)
        }
    }
}

/// Builds paths by names alone, with dates and hosts; signatures are believed.
struct SyntheticEvaluator: ChainEvaluator {
    func evaluate(_ question: ChainQuestion) -> ChainAnswer {
        guard let leaf = question.presented.leaf else {
            return ChainAnswer(fault: ChainFault(.empty, depth: nil, "Nothing was presented."), built: [])
        }
        var path = [leaf]
        while let last = path.last, !question.anchors.contains(last) {
            let above = question.anchors + question.presented.certificates
            guard let issuer = above.first(where: { $0.subject == last.issuer }), !path.contains(issuer)
            else {
                return ChainAnswer(fault: ChainFault(.untrusted, depth: 0, "No anchor."), built: path)
            }
            path.append(issuer)
        }
        for (depth, certificate) in path.enumerated() where certificate.notAfter < question.time {
            return ChainAnswer(fault: ChainFault(.expired, depth: depth, "It has expired."), built: path)
        }
        if let host = question.host, !leaf.names.contains(host) {
            return ChainAnswer(fault: ChainFault(.wrongName, depth: 0, "It is for others."), built: path)
        }
        return ChainAnswer(path: ValidatedChain(path))
    }
}

/// A server's chain and what the device trusts: `leaf` by `issuing` by `root`, or by the proxy's `proxy`.
struct SyntheticWorld {
    /// What can be asked.
    enum Server: String, CaseIterable {
        /// The real one.
        case real
        /// A proxy whose CA the user installed.
        case intercepted
        /// A chain to nothing that is trusted.
        case unknown
        /// The real one with a leaf that has expired.
        case expired
    }

    static let hosts = [
        "example.com", "api.example.com", "a.b.example.com", "other.test", "notexample.com",
    ]

    let root = Synthetic.certificate("root")
    let issuing = Synthetic.certificate("issuing", by: "root")
    let proxy = Synthetic.certificate("proxy")
    var leaf = Synthetic.certificate("leaf", by: "issuing", hosts: Self.hosts)

    /// The evidence of a connection.
    func evidence(_ server: Server, host: String?) -> Evidence {
        let presented: [CertificateFacts] =
            switch server {
            case .real: [leaf, issuing]
            case .intercepted: [Synthetic.certificate("forged", by: "proxy", hosts: Self.hosts)]
            case .unknown: [Synthetic.certificate("stranger", hosts: Self.hosts)]
            case .expired:
                [
                    Synthetic.certificate(
                        "leaf",
                        by: "issuing",
                        hosts: Self.hosts,
                        notAfter: Synthetic.now - .seconds(1)
                    ), issuing,
                ]
            }
        var evidence = Evidence(
            host: host.flatMap { try? Host($0) },
            presented: PresentedChain(presented),
            anchors: [root, proxy],
            time: Synthetic.now
        )
        evidence.userAnchors = [proxy.sha256]
        return evidence
    }
}

extension Verdict {
    /// `trusted`, `notApplicable` or the code of the reason.
    var word: String {
        switch self {
        case .trusted: "trusted"
        case .notApplicable: "notApplicable"
        case .rejected(let rejection): rejection.reason.code
        }
    }
}

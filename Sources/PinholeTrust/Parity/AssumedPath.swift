package import PinholeModel

/// An evaluator to which one path is valid at its time, wherever one of its certificates is an anchor.
///
/// It answers for chains that nobody has issued yet.
struct AssumedPath: ChainEvaluator {
    /// The certificates, leaf first, root last.
    let certificates: [CertificateFacts]
    /// Whether the leaf must name the host.
    var checksName = false

    init(certificates: [CertificateFacts]) { self.certificates = certificates }

    func evaluate(_ question: ChainQuestion) -> ChainAnswer {
        if let late = certificates.firstIndex(where: { $0.notAfter < question.time }) {
            return fault(.expired, late, "the certificate of “\(certificates[late].subject)” has expired")
        }
        if let early = certificates.firstIndex(where: { $0.notBefore > question.time }) {
            return fault(
                .notYetValid,
                early,
                "the certificate of “\(certificates[early].subject)” is not valid yet"
            )
        }
        if checksName, let host = question.host, let leaf = certificates.first, !leaf.names(host) {
            return fault(.wrongName, 0, "the certificate is not for \(host)")
        }
        guard let anchor = certificates.lastIndex(where: question.anchors.contains) else {
            return fault(.untrusted, 0, "the chain leads to no anchor")
        }
        return ChainAnswer(path: ValidatedChain(Array(certificates[...anchor])))
    }

    private func fault(_ kind: ChainFault.Kind, _ depth: Int, _ detail: String) -> ChainAnswer {
        ChainAnswer(fault: ChainFault(kind, depth: depth, detail), built: certificates)
    }

    /// A path of keys that nobody has pinned.
    static func unpinned(for host: Host, at time: Timestamp) -> AssumedPath {
        let validity = (time - .seconds(86_400))...(time + .seconds(86_400))
        let key = { (mark: UInt8) in [UInt8](repeating: mark, count: 32) }
        return AssumedPath(certificates: [
            .assumed("CN=\(host)", identifier: key(0xd5), key: key(0xd5), names: [host], validity),
            .assumed("CN=Root", identifier: key(0xd6), key: key(0xd6), names: [], validity),
        ])
    }

    /// Judges the path by a policy of a device that trusts its root; the user may have installed the root.
    func judged(
        by policy: any TrustPolicy,
        for host: Host,
        port: UInt16 = 443,
        at time: Timestamp,
        isOfUser: Bool = false
    ) -> Verdict {
        var evidence = Evidence(
            host: host,
            presented: PresentedChain(certificates),
            anchors: certificates.suffix(1),
            time: time
        )
        evidence.port = port
        if isOfUser { evidence.userAnchors = Set(certificates.suffix(1).map(\.sha256)) }
        return policy.judge(evidence, with: self).verdict
    }
}

extension CertificateFacts {
    /// Makes the facts of a certificate of which nothing but the digest of its key is known.
    ///
    /// - Parameters:
    ///   - subject: The subject.
    ///   - identifier: 32 bytes that no other certificate has.
    ///   - key: The SHA-256 of the SubjectPublicKeyInfo.
    ///   - names: The hosts of a leaf; empty for an authority.
    ///   - validity: The first and the last moment.
    /// - Returns: The facts.
    package static func assumed(
        _ subject: String,
        identifier: [UInt8],
        key: [UInt8],
        names: [Host],
        _ validity: ClosedRange<Timestamp>
    ) -> CertificateFacts {
        CertificateFacts(
            der: identifier,
            spki: key,
            key: key,
            keyKind: .rsa(2048),
            sha256: identifier,
            sha512: identifier + identifier,
            spkiSHA1: [UInt8](key.prefix(20)),
            spkiSHA256: key,
            spkiSHA512: key + key,
            rawKeySHA256: nil,
            subject: subject,
            issuer: "CN=Root",
            names: names,
            notBefore: validity.lowerBound,
            notAfter: validity.upperBound,
            isAuthority: names.isEmpty,
            pathLength: nil,
            isSelfSigned: names.isEmpty,
            signatureAlgorithm: "sha256WithRSAEncryption",
            signatureDigest: "SHA256"
        )
    }
}

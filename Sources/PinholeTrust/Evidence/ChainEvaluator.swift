package import PinholeModel

/// Builds and verifies paths (RFC 5280 §6).
///
/// `PinholeCrypto` implements the protocol with OpenSSL, and tests with a table. Policies ask as often as
/// their mechanism does: AFSecurityPolicy's certificate mode asks a second time, with its pins as the only anchors.
package protocol ChainEvaluator: Sendable {
    /// Verifies the chain, and returns the path or the fault.
    func evaluate(_ question: ChainQuestion) -> ChainAnswer

    /// Finds all valid paths within limits, including paths that ``evaluate(_:)`` never tries.
    ///
    /// No policy uses the result. It shows users the paths that another client might find.
    func paths(for question: ChainQuestion) -> PathSet
}

extension ChainEvaluator {
    /// Returns the only path that ``evaluate(_:)`` finds.
    package func paths(for question: ChainQuestion) -> PathSet {
        let path = evaluate(question).path
        return PathSet(path.map { [$0] } ?? [], isComplete: true)
    }
}

/// A question to a ``ChainEvaluator``: the chain to verify, and the conditions.
package struct ChainQuestion: Sendable {
    /// The effect of revocation on the answer.
    package enum Revocation: Hashable, Sendable {
        /// Revocation is not checked.
        case ignored
        /// A certificate that is known to be revoked fails. An unknown status passes.
        case knownOnly
        /// The leaf must be known not to be revoked.
        case required
    }

    /// The chain that the peer sent.
    package var presented: PresentedChain
    /// The certificates at which a path may end.
    package var anchors: [CertificateFacts]
    /// The host that the leaf must name; `nil` to check no name.
    package var host: Host?
    /// Whether the leaf must be permitted for TLS servers (extended key usage).
    package var requiresServerPurpose = true
    /// Whether an anchor may be an intermediate or a leaf, as with pins, and need not be self-signed.
    package var allowsPartialChain = false
    /// The time at which the certificates must be valid.
    package var time: Timestamp
    /// OpenSSL's security level for keys and signatures.
    package var securityLevel = 2
    /// The rules by which paths are built and checked.
    package var verifier: VerifierProfile
    /// The effect of revocation.
    package var revocation = Revocation.ignored
    /// The stapled OCSP response in DER; `nil` if there is none.
    package var stapledResponse: [UInt8]?
    /// Certificate revocation lists in DER.
    package var revocationLists: [[UInt8]] = []
    /// Whether lists are asked before the stapled response.
    package var prefersRevocationLists = false
    /// Public keys (SubjectPublicKeyInfo) without a certificate that may end a path.
    ///
    /// If no path leads to an anchor, the topmost certificate counts as an anchor if one of these keys signed it.
    package var anchorKeys: [[UInt8]] = []
    /// The demand that the certificates are logged; `nil` for none.
    package var transparency: TransparencyDemand?

    /// Creates a question with the chain, anchors, host and time of the evidence.
    ///
    /// - Parameters:
    ///   - evidence: The facts.
    ///   - verifier: The rules, if the evidence names none.
    package init(_ evidence: Evidence, by verifier: VerifierProfile) {
        presented = evidence.presented
        anchors = evidence.anchors
        host = evidence.host
        time = evidence.time
        securityLevel = evidence.securityLevel
        self.verifier = evidence.verifier ?? verifier
        stapledResponse = evidence.stapledResponse
        revocationLists = evidence.revocationLists
        if let rules = self.verifier.transparency, evidence.logs != nil {
            transparency = TransparencyDemand(rules, for: evidence, exemptsLocalAnchors: true)
        }
    }
}

/// The answer of a ``ChainEvaluator``.
package struct ChainAnswer: Hashable, Sendable {
    /// The valid path; `nil` if there is none.
    package let path: ValidatedChain?
    /// The path as far as it was built, valid or not.
    ///
    /// SecTrust returns it after a failed evaluation, too.
    package let built: [CertificateFacts]
    /// The fault of the chain; `nil` if it is valid.
    package let fault: ChainFault?
    /// The findings about revocation for each certificate of the path except the anchor; empty if revocation
    /// was not checked.
    package var revocation: [RevocationFinding] = []
    /// The finding about certificate timestamps; `nil` if none were demanded.
    package var transparency: TransparencyFinding?

    /// Creates the answer for a valid path.
    package init(path: ValidatedChain) {
        self.path = path
        built = path.certificates
        fault = nil
    }

    /// Creates the answer if there is no valid path.
    package init(fault: ChainFault, built: [CertificateFacts]) {
        path = nil
        self.built = built
        self.fault = fault
    }

    /// Whether a path was found.
    package var isValid: Bool { path != nil }
}

/// The fault of a chain.
package struct ChainFault: Error, Hashable, Sendable {
    /// The kind of a fault.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The peer presented no certificate.
        case empty
        /// A certificate is past its notAfter.
        case expired
        /// A certificate is before its notBefore.
        case notYetValid
        /// The leaf names other hosts.
        case wrongName
        /// The chain leads to no anchor.
        case untrusted
        /// The leaf is self-signed and no anchor.
        case selfSigned
        /// A signature does not verify.
        case badSignature
        /// An issuer is no certificate authority.
        case notAuthority
        /// A path has more intermediates than an issuer permits.
        case pathTooLong
        /// A name is outside of an issuer's name constraints.
        case nameConstraints
        /// A certificate is not for TLS servers.
        case wrongPurpose
        /// A key is too short.
        case weakKey
        /// A signature uses a digest that is too weak.
        case weakSignature
        /// A critical extension is unknown.
        case unknownExtension
        /// A certificate was revoked.
        case revoked
        /// The revocation status is unknown, but the question requires it.
        case revocationUnknown
        /// The certificate is not logged as the client demands (RFC 6962).
        case notLogged
        /// A certificate is malformed, or violates RFC 5280 in another way.
        case malformed
    }

    /// The kind of the fault.
    package let kind: Kind
    /// The index of the certificate in the path, where 0 is the leaf; `nil` if the fault concerns no single
    /// certificate.
    package let depth: Int?
    /// The fault in a sentence, with names and dates.
    package let detail: String

    /// Creates a fault.
    package init(_ kind: Kind, depth: Int?, _ detail: String) {
        self.kind = kind
        self.depth = depth
        self.detail = detail
    }
}

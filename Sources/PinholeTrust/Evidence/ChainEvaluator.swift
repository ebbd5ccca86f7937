package import PinholeModel

/// Builds and verifies paths (RFC 5280 §6).
///
/// A capability: `PinholeCrypto` implements it over OpenSSL, tests by a table. Policies ask it as often
/// as their mechanism does; AFSecurityPolicy's certificate mode asks a second time, with its pins as the
/// only anchors.
package protocol ChainEvaluator: Sendable {
    /// Verifies, and says what was found.
    func evaluate(_ question: ChainQuestion) -> ChainAnswer

    /// Finds every valid path, within limits, also those that ``evaluate(_:)`` never tries.
    ///
    /// No policy decides by it; it is for people who want to know what another client might find.
    func paths(for question: ChainQuestion) -> PathSet
}

extension ChainEvaluator {
    /// The one path that ``evaluate(_:)`` finds.
    package func paths(for question: ChainQuestion) -> PathSet {
        let path = evaluate(question).path
        return PathSet(path.map { [$0] } ?? [], isComplete: true)
    }
}

/// What is to be verified.
package struct ChainQuestion: Sendable {
    /// What revocation means for the answer.
    package enum Revocation: Hashable, Sendable {
        /// It is not looked at.
        case ignored
        /// What is known to be revoked fails; what is not known passes.
        case knownOnly
        /// The leaf must be known to be good.
        case required
    }

    /// What the peer sent.
    package var presented: PresentedChain
    /// What a path may end at.
    package var anchors: [CertificateFacts]
    /// The host that the leaf must name; `nil` for no check of names.
    package var host: Host?
    /// Whether the leaf must be fit for a TLS server (extended key usage).
    package var requiresServerPurpose = true
    /// Whether an anchor need not be self-signed: pinned intermediates and leaves.
    package var allowsPartialChain = false
    /// The moment at which dates must hold.
    package var time: Timestamp
    /// OpenSSL's security level for keys and signatures.
    package var securityLevel = 2
    /// What revocation means.
    package var revocation = Revocation.ignored
    /// The stapled OCSP response in DER; `nil` for none.
    package var stapledResponse: [UInt8]?
    /// Certificate revocation lists in DER.
    package var revocationLists: [[UInt8]] = []
    /// Whether lists are asked before the response.
    package var prefersRevocationLists = false
    /// Public keys (SubjectPublicKeyInfo) without a certificate that a path may end below: where no path leads
    /// to an anchor, the topmost certificate is one when such a key signed it.
    package var anchorKeys: [[UInt8]] = []

    /// Asks about the evidence as it stands: its chain, anchors, host and time.
    package init(_ evidence: Evidence) {
        presented = evidence.presented
        anchors = evidence.anchors
        host = evidence.host
        time = evidence.time
        securityLevel = evidence.securityLevel
        stapledResponse = evidence.stapledResponse
        revocationLists = evidence.revocationLists
    }
}

/// What was found.
package struct ChainAnswer: Hashable, Sendable {
    /// The path; `nil` when none is valid.
    package let path: ValidatedChain?
    /// The path as far as it was built, valid or not: what SecTrust hands out after a failed evaluation.
    package let built: [CertificateFacts]
    /// What is wrong; `nil` when nothing is.
    package let fault: ChainFault?
    /// What is known of revocation, for each certificate of the path but the anchor; empty where it was not asked.
    package var revocation: [RevocationFinding] = []

    /// A path was found.
    package init(path: ValidatedChain) {
        self.path = path
        built = path.certificates
        fault = nil
    }

    /// No valid path was found.
    package init(fault: ChainFault, built: [CertificateFacts]) {
        path = nil
        self.built = built
        self.fault = fault
    }

    /// Whether a path was found.
    package var isValid: Bool { path != nil }
}

/// What is wrong with a chain.
package struct ChainFault: Error, Hashable, Sendable {
    /// What kind of fault it is.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Nothing was presented.
        case empty
        /// Past a notAfter.
        case expired
        /// Before a notBefore.
        case notYetValid
        /// The leaf names other hosts.
        case wrongName
        /// It leads to no anchor.
        case untrusted
        /// The leaf is self-signed and no anchor.
        case selfSigned
        /// A signature does not verify.
        case badSignature
        /// An issuer is no certificate authority.
        case notAuthority
        /// More intermediates than an issuer allows.
        case pathTooLong
        /// A name outside of an issuer's name constraints.
        case nameConstraints
        /// Not meant for TLS servers.
        case wrongPurpose
        /// A key that is too short.
        case weakKey
        /// A signature with a digest that is too weak.
        case weakSignature
        /// A critical extension that is not known.
        case unknownExtension
        /// Revoked.
        case revoked
        /// Whether it is revoked is not known, and had to be.
        case revocationUnknown
        /// Malformed, or against RFC 5280 in another way.
        case malformed
    }

    /// What kind of fault it is.
    package let kind: Kind
    /// Where: 0 is the leaf; `nil` where no certificate is meant.
    package let depth: Int?
    /// One sentence, with names and dates.
    package let detail: String

    /// Creates a fault.
    package init(_ kind: Kind, depth: Int?, _ detail: String) {
        self.kind = kind
        self.depth = depth
        self.detail = detail
    }
}

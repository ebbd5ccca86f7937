package import PinholeModel

/// The root, or an intermediate, that signs the leaves of intercepted hosts.
package struct CertificateAuthority: Sendable {
    /// How a new authority is made.
    package struct Options: Hashable, Sendable {
        /// The kind of its key.
        package var keyAlgorithm: KeyAlgorithm = .p256
        /// How long it is valid: ten years, since everyone who trusts it does so by hand.
        package var validity: Duration = .seconds(3652 * 86_400)
        /// Names and address ranges that it may sign for; empty for everything.
        package var permittedDomains: [String] = []
        /// The machine, as it stands in the subject.
        package var machineName: String

        /// Creates options with the defaults.
        package init(machineName: String) { self.machineName = machineName }
    }

    /// The issuing certificate, what is above it as far as known, and the key.
    package let identity: Identity

    /// The name constraints of the chain.
    private let constraints: [NameConstraints]

    /// Takes an identity as the authority.
    ///
    /// - Parameter identity: The issuing certificate first, its key.
    /// - Throws: ``CryptoFailure`` when a certificate of the chain may not sign what it has to.
    package init(identity: Identity) throws(CryptoFailure) {
        for (below, certificate) in identity.chain.enumerated() {
            guard certificate.isAuthority else {
                throw CryptoFailure(
                    "“\(certificate.subject)” is no certificate authority: expected basicConstraints CA:TRUE "
                        + "and the key usage keyCertSign"
                )
            }
            guard certificate.pathLength.map({ $0 >= below }) ?? true else {
                throw CryptoFailure(
                    "“\(certificate.subject)” permits \(certificate.pathLength ?? 0) authorities below it, "
                        + "the chain has \(below)"
                )
            }
        }
        self.identity = identity
        constraints = identity.chain.compactMap(\.nameConstraints)
    }

    /// Makes a new authority, in memory.
    ///
    /// Without permitted domains it is one self-signed certificate. With them it is a root, whose key
    /// nobody keeps, and an issuing certificate below it that has the constraints: some verifiers (Java)
    /// do not look at the constraints of what they trust.
    ///
    /// - Parameters:
    ///   - options: How it is made.
    ///   - now: The present.
    /// - Returns: The authority.
    /// - Throws: ``CryptoFailure`` when a permitted domain is malformed or OpenSSL fails.
    package static func create(
        _ options: Options,
        now: Timestamp
    ) throws(CryptoFailure) -> CertificateAuthority {
        let isConstrained = !options.permittedDomains.isEmpty
        var template = CertificateTemplate(
            commonName: commonName("Pinhole CA", machine: options.machineName, now: now),
            notBefore: now - LeafProfile.backdating,
            notAfter: now + options.validity
        )
        template.organization = "Pinhole interception proxy"
        // It signs leaves only; an intermediate that a thief of the key makes is refused.
        template.role = .authority(pathLength: isConstrained ? 1 : 0)
        if isConstrained {
            template.constraints = try NameConstraints(permitting: options.permittedDomains)
        }
        let key = try PrivateKey.generate(options.keyAlgorithm)
        let root = try Identity(chain: [template.signed(by: nil, key: key)], key: key)
        guard isConstrained else { return try CertificateAuthority(identity: root) }

        template.commonName = commonName("Pinhole issuing CA", machine: options.machineName, now: now)
        template.role = .authority(pathLength: 0)
        // Name constraints limit DNS names and addresses alone; this keeps the key from signing e-mail and programs.
        template.purposes = [.serverAuth]
        let issuingKey = try PrivateKey.generate(options.keyAlgorithm)
        let issuing = try template.signed(by: root, key: issuingKey)
        return try CertificateAuthority(
            identity: Identity(chain: [issuing, root.certificate], key: issuingKey)
        )
    }

    /// The certificate that signs leaves.
    package var certificate: Certificate { identity.certificate }

    /// The topmost certificate that is known: the one that clients have to trust.
    package var root: Certificate { identity.chain[identity.chain.count - 1] }

    /// What is sent to a client: the leaf, then every certificate up to the root.
    package func chain(below leaf: Certificate) -> [Certificate] { [leaf] + identity.chain }

    /// Whether the name constraints of the chain, if it has any, allow a leaf for `host`.
    package func permits(_ host: Host) -> Bool { constraints.allSatisfy { $0.permits(host) } }

    /// The first moment at which the whole chain is valid.
    package var notBefore: Timestamp { identity.chain.map(\.notBefore).max() ?? certificate.notBefore }

    /// The last moment at which the whole chain is valid.
    package var notAfter: Timestamp { identity.chain.map(\.notAfter).min() ?? certificate.notAfter }

    /// A sentence for the user when the authority has expired or will within 60 days, else `nil`.
    package func expiryWarning(now: Timestamp) -> String? {
        guard let first = identity.chain.min(by: { $0.notAfter < $1.notAfter }) else { return nil }
        let days = (first.notAfter - now).components.seconds / 86_400
        guard first.notAfter >= now else {
            return "the CA certificate “\(first.subject)” expired on \(first.notAfter.dateText); "
                + Self.renewal
        }
        guard days < 60 else { return nil }
        return "the CA certificate “\(first.subject)” expires on \(first.notAfter.dateText), "
            + "in \(days) \(days == 1 ? "day" : "days"); \(Self.renewal)"
    }

    private static let renewal =
        "remove it (pinhole ca uninstall), make a new one (pinhole ca init) and let your clients trust that"

    /// ub-common-name is 64 characters (RFC 5280 appendix A.1), so a long machine name is cut.
    private static func commonName(_ title: String, machine: String, now: Timestamp) -> String {
        let room = 64 - "\(title) (, \(now.dateText))".unicodeScalars.count
        let plain = machine.unicodeScalars.filter { !$0.isUnseen }
        let machine = String(String.UnicodeScalarView(plain.prefix(room)))
        return machine.isEmpty ? "\(title) (\(now.dateText))" : "\(title) (\(machine), \(now.dateText))"
    }
}

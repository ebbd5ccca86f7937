package import PinholeModel
import PinholeTrust

/// The root or intermediate CA that signs the leaves of intercepted hosts.
package struct CertificateAuthority: Sendable {
    /// The properties of a new authority.
    package struct Options: Hashable, Sendable {
        /// The kind of the authority's key.
        package var keyAlgorithm: KeyAlgorithm = .p256
        /// The validity of the authority: ten years, since every user has to install it by hand.
        package var validity: Duration = .seconds(3652 * 86_400)
        /// The names and address ranges that the authority may sign for; empty for no limit.
        package var permittedDomains: [String] = []
        /// The name of the machine, for the subject.
        package var machineName: String

        /// Creates options with the defaults.
        package init(machineName: String) { self.machineName = machineName }
    }

    /// The issuing certificate, the known certificates above it, and the key.
    package let identity: Identity

    /// The name constraints of the chain.
    private let constraints: [NameConstraints]

    /// Takes an identity as the authority.
    ///
    /// - Parameter identity: The chain, with the issuing certificate first, and its key.
    /// - Throws: ``CryptoFailure`` when a certificate of the chain may not sign the one below it.
    package init(identity: Identity) throws(CryptoFailure) {
        for (below, certificate) in identity.chain.enumerated() {
            guard certificate.isAuthority else {
                throw CryptoFailure(
                    "“\(certificate.subject)” is not a certificate authority: expected basicConstraints CA:TRUE "
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
    /// Without permitted domains, the authority is one self-signed certificate. With them, the constraints
    /// are in an issuing certificate below a root whose key is thrown away: some verifiers (Java) ignore the
    /// constraints of a trusted root.
    ///
    /// - Parameters:
    ///   - options: The properties of the authority.
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
        // The authority signs only leaves: with a stolen key, nobody can make an intermediate that verifiers accept.
        template.role = .authority(pathLength: isConstrained ? 1 : 0)
        if isConstrained {
            template.constraints = try NameConstraints(permitting: options.permittedDomains)
        }
        let key = try PrivateKey.generate(options.keyAlgorithm)
        let root = try Identity(chain: [template.signed(by: nil, key: key)], key: key)
        guard isConstrained else { return try CertificateAuthority(identity: root) }

        template.commonName = commonName("Pinhole issuing CA", machine: options.machineName, now: now)
        template.role = .authority(pathLength: 0)
        // Name constraints limit only DNS names and addresses. The purpose keeps the key from signing e-mail
        // and programs.
        template.purposes = [.serverAuth]
        let issuingKey = try PrivateKey.generate(options.keyAlgorithm)
        let issuing = try template.signed(by: root, key: issuingKey)
        return try CertificateAuthority(
            identity: Identity(chain: [issuing, root.certificate], key: issuingKey)
        )
    }

    /// The certificate that signs leaves.
    package var certificate: Certificate { identity.certificate }

    /// The topmost certificate that is known, which clients have to trust.
    package var root: Certificate { identity.chain[identity.chain.count - 1] }

    /// The kind of key for leaves: RSA below an authority with RSA, otherwise P-256.
    ///
    /// A client without elliptic curves can neither verify an ECDSA signature in the handshake nor exchange keys with RSA
    /// alone (RFC 5246 §7.4.2). 2048 bits are what every such client takes.
    package var leafKeyAlgorithm: KeyAlgorithm { identity.key.isRSA ? .rsa2048 : .p256 }

    /// The chain that is sent to a client: the leaf, then every certificate up to the root.
    package func chain(below leaf: Certificate) -> [Certificate] { [leaf] + identity.chain }

    /// Whether the name constraints of the chain, if it has any, allow a leaf for `host`.
    package func permits(_ host: Host) -> Bool { constraints.allSatisfy { $0.permits(host) } }

    /// The first moment at which the whole chain is valid.
    package var notBefore: Timestamp { identity.chain.map(\.notBefore).max() ?? certificate.notBefore }

    /// The last moment at which the whole chain is valid.
    package var notAfter: Timestamp { identity.chain.map(\.notAfter).min() ?? certificate.notAfter }

    /// A sentence for the user if the authority has expired or will expire within 60 days; otherwise `nil`.
    package func expiryWarning(now: Timestamp) -> String? {
        guard let first = identity.chain.min(by: { $0.notAfter < $1.notAfter }) else { return nil }
        let days = (first.notAfter - now).components.seconds / 86_400
        guard first.notAfter >= now else {
            return "the CA certificate “\(first.subject)” expired on \(CalendarDate.text(first.notAfter)); "
                + Self.renewal
        }
        guard days < 60 else { return nil }
        return "the CA certificate “\(first.subject)” expires on \(CalendarDate.text(first.notAfter)), "
            + "in \(days) \(days == 1 ? "day" : "days"); \(Self.renewal)"
    }

    private static let renewal =
        "remove it (pinhole ca uninstall), make a new one (pinhole ca init) and let your clients trust that"

    /// ub-common-name is 64 characters (RFC 5280 appendix A.1), so a long machine name is cut.
    private static func commonName(_ title: String, machine: String, now: Timestamp) -> String {
        // A comma would be written with a backslash wherever names are shown (RFC 4514 §2.4).
        let room = 64 - "\(title) ( \(CalendarDate.text(now)))".unicodeScalars.count
        let plain = machine.unicodeScalars.filter { !$0.isUnseen }
        let machine = String(String.UnicodeScalarView(plain.prefix(room)))
        return machine.isEmpty
            ? "\(title) (\(CalendarDate.text(now)))" : "\(title) (\(machine) \(CalendarDate.text(now)))"
    }
}

package import PinholeCrypto
package import PinholeModel
package import PinholeTrust

/// A public key whose pins are shown: the key of a certificate, or a key without one.
package struct PinnedKey: Sendable {
    /// The role of a key in a certificate chain.
    package enum Role: String, Sendable {
        /// The key of the server's own certificate.
        case leaf
        /// The key of a CA below another CA.
        case intermediate
        /// The key of a self-signed CA.
        case root
        /// A key without a certificate, which may be a backup.
        case key
    }

    /// The role of the key.
    package let role: Role
    /// The source of the key: a URL or a file.
    package let source: String
    /// The host that the key belongs to; `nil` if it is unknown.
    package var host: Host?
    /// The port of the server that the key belongs to.
    package var port: UInt16 = 443
    /// The kind and size of the key, as text for users.
    package let keyDescription: String
    /// The SHA-256 digest of the key's SubjectPublicKeyInfo.
    package let spkiSHA256: [UInt8]
    /// The SHA-256 digest of the result of `SecKeyCopyExternalRepresentation`; `nil` for keys without such a form.
    package let rawKeySHA256: [UInt8]?
    /// The certificate of the key; `nil` for a key without one.
    package let certificate: CertificateFacts?
    /// Whether the certificate or key was given alone and not as a part of a chain.
    package let standsAlone: Bool

    /// Takes the key of a certificate.
    ///
    /// - Parameters:
    ///   - certificate: The certificate.
    ///   - place: The position in the chain of a server or in a file, from 0.
    ///   - count: The number of certificates in the chain or file.
    ///   - isPresented: Whether a server presents the chain, whose first certificate is then the server's own.
    ///   - source: The source of the certificates.
    ///   - host: The requested host.
    package init(
        _ certificate: Certificate,
        place: Int,
        of count: Int,
        isPresented: Bool,
        source: String,
        host: Host?
    ) {
        let facts = certificate.facts
        standsAlone = count == 1
        // `openssl req -x509` creates server certificates with CA:TRUE.
        let isOwn = place == 0 && (isPresented || standsAlone && facts.isSelfSigned)
        role = isOwn || !facts.isAuthority ? .leaf : facts.isSelfSigned ? .root : .intermediate
        self.source = source
        // The requested host, otherwise the first name of the certificate; names precede addresses. A certificate may
        // contain any text as a name, but a policy accepts only hosts.
        let names = facts.names.filter(\.isWellFormed)
        self.host = host ?? names.first { $0.name != nil } ?? names.first
        keyDescription = certificate.keyDescription
        spkiSHA256 = facts.spkiSHA256
        rawKeySHA256 = facts.rawKeySHA256
        self.certificate = facts
    }

    /// Takes a key without a certificate.
    package init(_ key: PublicKey, source: String, host: Host?) {
        role = .key
        standsAlone = true
        self.source = source
        self.host = host
        keyDescription = key.keyDescription
        spkiSHA256 = Digest.sha256(key.spki)
        rawKeySHA256 = key.rawKey.map { Digest.sha256($0) }
        certificate = nil
    }

    /// Whether the key belongs to a CA.
    package var isAuthority: Bool { role == .intermediate || role == .root }

    /// The pin in Base64.
    package var base64: String { Base64.encode(spkiSHA256) }

    /// The pin in hexadecimal.
    package var hexadecimal: String { Hexadecimal.encode(spkiSHA256) }

    /// The certificate's title for users, or the source of a key without a certificate.
    package var title: String { certificate?.title ?? source }
}

extension Host {
    /// Whether the host is an address, a DNS name, or a wildcard below a DNS name.
    package var isWellFormed: Bool {
        guard let name else { return true }
        let plain = wildcardParent ?? name
        return (try? Host(plain)) == .name(plain)
    }

    /// The parent domain of a wildcard: `example.com` of `*.example.com`; `nil` for other hosts.
    package var wildcardParent: String? {
        guard let name, name.hasPrefix("*.") else { return nil }
        return String(name.dropFirst(2))
    }
}

package import PinholeCrypto
package import PinholeModel
package import PinholeTrust

/// A key whose pins are shown: that of a certificate, or a key on its own.
package struct PinnedKey: Sendable {
    /// Its place in a chain.
    package enum Role: String, Sendable {
        /// What the server presents as its own.
        case leaf
        /// A CA below another one.
        case intermediate
        /// A CA that signed itself.
        case root
        /// No certificate: a key that may be a backup.
        case key
    }

    /// Its place.
    package let role: Role
    /// Where it comes from: a URL or a file.
    package let source: String
    /// The host that it is for; `nil` where nobody said.
    package var host: Host?
    /// The port that it is for.
    package var port: UInt16 = 443
    /// The kind and size for people.
    package let keyDescription: String
    /// SHA-256 of its SubjectPublicKeyInfo.
    package let spkiSHA256: [UInt8]
    /// SHA-256 of what `SecKeyCopyExternalRepresentation` gives; `nil` for keys that have no such form.
    package let rawKeySHA256: [UInt8]?
    /// Its certificate; `nil` for a key on its own.
    package let certificate: CertificateFacts?
    /// Whether it was named by itself, not as a part of a chain.
    package let standsAlone: Bool

    /// The key of a certificate.
    ///
    /// - Parameters:
    ///   - certificate: The certificate.
    ///   - place: Its place in what a server presents or a file holds: 0 is the first.
    ///   - count: How many certificates are there.
    ///   - isPresented: Whether a server presents them: the first one is its own then, whatever it says of itself.
    ///   - source: Where they come from.
    ///   - host: The host that was asked for.
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
        // `openssl req -x509` makes servers' certificates with CA:TRUE.
        let isOwn = place == 0 && (isPresented || standsAlone && facts.isSelfSigned)
        role = isOwn || !facts.isAuthority ? .leaf : facts.isSelfSigned ? .root : .intermediate
        self.source = source
        // The host that was asked for, else the first that the certificate names; names before addresses. A
        // certificate may hold any text as a name, and a policy can say those of hosts only.
        let names = facts.names.filter(\.isWellFormed)
        self.host = host ?? names.first { $0.name != nil } ?? names.first
        keyDescription = certificate.keyDescription
        spkiSHA256 = facts.spkiSHA256
        rawKeySHA256 = facts.rawKeySHA256
        self.certificate = facts
    }

    /// A key that stands alone.
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

    /// Whether it is a CA's.
    package var isAuthority: Bool { role == .intermediate || role == .root }

    /// The pin in Base64.
    package var base64: String { Base64.encode(spkiSHA256) }

    /// The pin in hexadecimal.
    package var hexadecimal: String {
        spkiSHA256.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// What it is, for people.
    package var title: String { certificate?.title ?? source }
}

extension Host {
    /// Whether it is an address, a name as the DNS has them, or a wildcard below one.
    package var isWellFormed: Bool {
        guard let name else { return true }
        let plain = wildcardParent ?? name
        return (try? Host(plain)) == .name(plain)
    }

    /// What a wildcard stands below, `example.com` of `*.example.com`; `nil` for all else.
    package var wildcardParent: String? {
        guard let name, name.hasPrefix("*.") else { return nil }
        return String(name.dropFirst(2))
    }
}

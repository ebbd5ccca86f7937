package import PinholeModel

/// What policies compare of one certificate, computed once when it was parsed.
///
/// The digests stand here since this target computes none: who parses certificates (`PinholeCrypto`)
/// makes the facts, and both read the same key (CVE-2026-87866: one parser).
package final class CertificateFacts: Sendable {
    /// The kind and size of a public key.
    package enum Key: Hashable, Sendable {
        /// RSA with a modulus of so many bits.
        case rsa(Int)
        /// An elliptic curve by its name in OpenSSL (`prime256v1`, `secp384r1`, `secp521r1`).
        case curve(String)
        /// Another kind, by its name in OpenSSL.
        case other(String)
    }

    /// The whole certificate.
    package let der: [UInt8]
    /// Its SubjectPublicKeyInfo, byte for byte as it stands there.
    package let spki: [UInt8]
    /// The key encoded anew: equal for equal keys, however their encoder treated parameters.
    package let key: [UInt8]
    /// The kind and size of the key.
    package let keyKind: Key
    /// SHA-256 of the whole certificate.
    package let sha256: [UInt8]
    /// SHA-512 of the whole certificate.
    package let sha512: [UInt8]
    /// SHA-1 of the SubjectPublicKeyInfo (OkHttp's `sha1/` pins).
    package let spkiSHA1: [UInt8]
    /// SHA-256 of the SubjectPublicKeyInfo: the pin.
    package let spkiSHA256: [UInt8]
    /// SHA-512 of the SubjectPublicKeyInfo.
    package let spkiSHA512: [UInt8]
    /// SHA-256 of what `SecKeyCopyExternalRepresentation` gives for the key: PKCS#1 for RSA, the point for EC;
    /// `nil` for other kinds.
    package let rawKeySHA256: [UInt8]?
    /// The subject, for people.
    package let subject: String
    /// The issuer, for people.
    package let issuer: String
    /// The dNSName and iPAddress entries of its subjectAltName.
    package let names: [Host]
    /// The start of its validity.
    package let notBefore: Timestamp
    /// The end of its validity, itself included.
    package let notAfter: Timestamp
    /// Whether it may sign certificates.
    package let isAuthority: Bool
    /// How many intermediate authorities may follow below it; `nil` without a limit.
    package let pathLength: Int?
    /// Whether it is signed by its own key.
    package let isSelfSigned: Bool
    /// The algorithm of its signature, as OpenSSL names it: `ecdsa-with-SHA256`; `nil` where nobody said.
    package let signatureAlgorithm: String?
    /// Whether it asks for a stapled OCSP response with every handshake (RFC 7633).
    package let mustStaple: Bool
    /// The certificate timestamps that are embedded in it (RFC 6962 §3.3), unverified; `nil` where they are
    /// malformed.
    package let timestamps: [SignedTimestamp]?
    /// The digest of its signature, as OpenSSL names it: `SHA256`; `nil` where there is none or nobody said.
    package let signatureDigest: String?

    /// Creates the facts of a certificate.
    package init(
        der: [UInt8],
        spki: [UInt8],
        key: [UInt8],
        keyKind: Key,
        sha256: [UInt8],
        sha512: [UInt8],
        spkiSHA1: [UInt8],
        spkiSHA256: [UInt8],
        spkiSHA512: [UInt8],
        rawKeySHA256: [UInt8]?,
        subject: String,
        issuer: String,
        names: [Host],
        notBefore: Timestamp,
        notAfter: Timestamp,
        isAuthority: Bool,
        pathLength: Int?,
        isSelfSigned: Bool,
        signatureAlgorithm: String? = nil,
        mustStaple: Bool = false,
        timestamps: [SignedTimestamp]? = [],
        signatureDigest: String? = nil
    ) {
        self.der = der
        self.spki = spki
        self.key = key
        self.keyKind = keyKind
        self.sha256 = sha256
        self.sha512 = sha512
        self.spkiSHA1 = spkiSHA1
        self.spkiSHA256 = spkiSHA256
        self.spkiSHA512 = spkiSHA512
        self.rawKeySHA256 = rawKeySHA256
        self.subject = subject
        self.issuer = issuer
        self.names = names
        self.notBefore = notBefore
        self.notAfter = notAfter
        self.isAuthority = isAuthority
        self.pathLength = pathLength
        self.isSelfSigned = isSelfSigned
        self.signatureAlgorithm = signatureAlgorithm
        self.mustStaple = mustStaple
        self.timestamps = timestamps
        self.signatureDigest = signatureDigest
    }
}

extension CertificateFacts: Hashable {
    /// Whether both are the same bytes.
    package static func == (left: CertificateFacts, right: CertificateFacts) -> Bool {
        left === right || left.der == right.der
    }

    /// Hashes the digest of the encoding.
    package func hash(into hasher: inout Hasher) { hasher.combine(sha256) }
}

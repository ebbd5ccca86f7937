package import PinholeModel

/// The facts of a certificate that policies compare, computed once by the parser.
///
/// This target computes no digests. `PinholeCrypto` parses certificates and makes the facts, so parser and
/// policy read the same key (CVE-2026-87866: one parser).
package final class CertificateFacts: Sendable {
    /// The kind and size of a public key.
    package enum Key: Hashable, Sendable {
        /// RSA with a modulus of this number of bits.
        case rsa(Int)
        /// An elliptic curve with its name in OpenSSL (`prime256v1`, `secp384r1`, `secp521r1`).
        case curve(String)
        /// Another kind, with its name in OpenSSL.
        case other(String)
    }

    /// The whole certificate.
    package let der: [UInt8]
    /// The SubjectPublicKeyInfo with the bytes that stand in the certificate.
    package let spki: [UInt8]
    /// The key encoded by OpenSSL: equal keys have equal bytes, even if their original encoders treated
    /// parameters differently.
    package let key: [UInt8]
    /// The kind and size of the key.
    package let keyKind: Key
    /// The SHA-256 of the whole certificate.
    package let sha256: [UInt8]
    /// The SHA-512 of the whole certificate.
    package let sha512: [UInt8]
    /// The SHA-1 of the SubjectPublicKeyInfo (OkHttp's `sha1/` pins).
    package let spkiSHA1: [UInt8]
    /// The SHA-256 of the SubjectPublicKeyInfo, which is the pin.
    package let spkiSHA256: [UInt8]
    /// The SHA-512 of the SubjectPublicKeyInfo.
    package let spkiSHA512: [UInt8]
    /// The SHA-256 of the key as `SecKeyCopyExternalRepresentation` returns it: PKCS#1 for RSA, the point for
    /// EC; `nil` for other kinds.
    package let rawKeySHA256: [UInt8]?
    /// The subject as text.
    package let subject: String
    /// The issuer as text.
    package let issuer: String
    /// The dNSName and iPAddress entries of the subjectAltName.
    package let names: [Host]
    /// The start of the validity.
    package let notBefore: Timestamp
    /// The end of the validity, itself included.
    package let notAfter: Timestamp
    /// Whether the certificate may sign other certificates.
    package let isAuthority: Bool
    /// The number of intermediate authorities that may follow below this one; `nil` for no limit.
    package let pathLength: Int?
    /// Whether the certificate's own key signed it.
    package let isSelfSigned: Bool
    /// The algorithm of the signature, as OpenSSL names it: `ecdsa-with-SHA256`; `nil` if it is unknown.
    package let signatureAlgorithm: String?
    /// Whether the certificate requires a stapled OCSP response with every handshake (RFC 7633).
    package let mustStaple: Bool
    /// The certificate timestamps that are embedded in the certificate (RFC 6962 §3.3), unverified; `nil` if
    /// they are malformed.
    package let timestamps: [SignedTimestamp]?
    /// The digest of the signature, as OpenSSL names it: `SHA256`; `nil` if there is none or it is unknown.
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
    /// Whether both certificates have the same bytes.
    package static func == (left: CertificateFacts, right: CertificateFacts) -> Bool {
        left === right || left.der == right.der
    }

    /// Hashes the digest of the encoding.
    package func hash(into hasher: inout Hasher) { hasher.combine(sha256) }
}

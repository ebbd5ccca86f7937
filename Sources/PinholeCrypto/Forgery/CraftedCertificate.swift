package import PinholeModel

/// A certificate that may break any rule, made by the lab and the tests for verifiers to refuse.
///
/// ``CertificateTemplate`` makes correct certificates.
package struct CraftedCertificate: Sendable {
    /// An extension with its identifier.
    package struct Extension: Sendable {
        /// The identifier in dotted form.
        package var identifier: String
        /// Whether a verifier that does not know the extension has to refuse the certificate.
        package var isCritical = false
        /// The content of the extension's OCTET STRING.
        package var value: [UInt8]
    }

    /// An entry of a subjectAltName, or of a name constraint.
    package enum Name: Sendable {
        /// A dNSName with any characters.
        case dns(String)
        /// uniformResourceIdentifier.
        case uri(String)
        /// rfc822Name.
        case email(String)
        /// An iPAddress of any length.
        case address([UInt8])

        /// The encoded GeneralName.
        package var der: [UInt8] {
            switch self {
            case .email(let text): ASN1.context(1, Array(text.utf8))
            case .dns(let text): ASN1.context(2, Array(text.utf8))
            case .uri(let text): ASN1.context(6, Array(text.utf8))
            case .address(let bytes): ASN1.context(7, bytes)
            }
        }
    }

    /// The version as it is encoded: 2 is version 3, 0 is version 1.
    package var version: UInt8 = 2
    /// The serial number.
    package var serial: [UInt8]
    /// The commonName of the subject; `nil` for an empty subject.
    package var subject: String?
    /// The name of the issuer that the certificate shows; `nil` for the name of the actual issuer.
    package var issuer: String?
    /// The start of the validity.
    package var notBefore: Timestamp
    /// The end of the validity.
    package var notAfter: Timestamp
    /// The key that the certificate is for.
    package var key: PrivateKey
    /// A SubjectPublicKeyInfo that replaces the one of ``key``; `nil` for the one of ``key``.
    package var spki: [UInt8]?
    /// The extensions in their order.
    package var extensions: [Extension] = []
    /// The digest that is signed.
    package var digest = PrivateKey.SignatureDigest.sha256
    /// Whether a bit of the signature is flipped.
    package var breaksSignature = false
    /// Whether the signature algorithm inside the certificate differs from the one outside.
    package var namesOtherAlgorithmInside = false

    /// Creates a certificate without extensions.
    package init(
        serial: [UInt8],
        subject: String?,
        notBefore: Timestamp,
        notAfter: Timestamp,
        key: PrivateKey
    ) {
        self.serial = serial
        self.subject = subject
        self.notBefore = notBefore
        self.notAfter = notAfter
        self.key = key
    }

    /// The extension basicConstraints (RFC 5280 §4.2.1.9).
    package static let basicConstraints = "2.5.29.19"
    /// The extension keyUsage (RFC 5280 §4.2.1.3).
    package static let keyUsage = "2.5.29.15"
    /// The extension extendedKeyUsage (RFC 5280 §4.2.1.12).
    package static let extendedKeyUsage = "2.5.29.37"
    /// The extension subjectAltName (RFC 5280 §4.2.1.6).
    package static let subjectAltName = "2.5.29.17"
    /// The extension subjectKeyIdentifier (RFC 5280 §4.2.1.2).
    package static let subjectKeyIdentifier = "2.5.29.14"
    /// The extension authorityKeyIdentifier (RFC 5280 §4.2.1.1).
    package static let authorityKeyIdentifier = "2.5.29.35"
    /// The extension nameConstraints (RFC 5280 §4.2.1.10).
    package static let nameConstraints = "2.5.29.30"
    /// The TLS feature extension (RFC 7633): must-staple.
    package static let tlsFeature = "1.3.6.1.5.5.7.1.24"
    /// SignedCertificateTimestampList (RFC 6962 §3.3).
    package static let signedTimestamps = "1.3.6.1.4.1.11129.2.4.2"
    /// id-kp-serverAuth.
    package static let serverAuth = "1.3.6.1.5.5.7.3.1"

    /// Replaces the extension or appends it; `nil` removes it.
    package mutating func set(_ identifier: String, isCritical: Bool = false, _ value: [UInt8]?) {
        let index = extensions.firstIndex { $0.identifier == identifier }
        guard let value else {
            if let index { extensions.remove(at: index) }
            return
        }
        let new = Extension(identifier: identifier, isCritical: isCritical, value: value)
        if let index { extensions[index] = new } else { extensions.append(new) }
    }

    /// Sets basicConstraints.
    package mutating func setBasicConstraints(
        authority: Bool,
        pathLength: UInt8? = nil,
        isCritical: Bool = true
    ) {
        let parts = (authority ? ASN1.isTrue : []) + (pathLength.map { ASN1.integer($0) } ?? [])
        set(Self.basicConstraints, isCritical: isCritical, ASN1.sequence(parts))
    }

    /// Sets keyUsage; `nil` removes it.
    package mutating func setKeyUsage(_ usage: KeyUsage?) {
        set(Self.keyUsage, isCritical: true, usage.map { ASN1.bits([$0.rawValue], unused: $0.unused) })
    }

    /// Sets extendedKeyUsage; an empty list removes it.
    package mutating func setPurposes(_ purposes: [String]) {
        set(
            Self.extendedKeyUsage,
            purposes.isEmpty ? nil : ASN1.sequence(of: purposes.map { ASN1.identifier($0) })
        )
    }

    /// Sets subjectAltName; `nil` removes it.
    package mutating func setNames(_ names: [Name]?, isCritical: Bool = false) {
        set(Self.subjectAltName, isCritical: isCritical, names.map { ASN1.sequence(of: $0.map(\.der)) })
    }

    /// The bits of a keyUsage.
    package struct KeyUsage: OptionSet, Sendable {
        /// The first byte of the bit string.
        package let rawValue: UInt8
        /// Creates a set from bits.
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        /// The bit digitalSignature, number 0.
        package static let digitalSignature = KeyUsage(rawValue: 0x80)
        /// The bit keyEncipherment, number 2.
        package static let keyEncipherment = KeyUsage(rawValue: 0x20)
        /// The bit dataEncipherment, number 3.
        package static let dataEncipherment = KeyUsage(rawValue: 0x10)
        /// The bit keyAgreement, number 4.
        package static let keyAgreement = KeyUsage(rawValue: 0x08)
        /// The bit keyCertSign, number 5.
        package static let keyCertSign = KeyUsage(rawValue: 0x04)
        /// The bit cRLSign, number 6.
        package static let cRLSign = KeyUsage(rawValue: 0x02)
        fileprivate var unused: UInt8 { UInt8(truncatingIfNeeded: rawValue.trailingZeroBitCount) }
    }

    /// Signs the certificate.
    ///
    /// - Parameters:
    ///   - issuerName: The commonName of the issuer.
    ///   - signer: The issuer's key.
    /// - Returns: The certificate in DER.
    /// - Throws: ``CryptoFailure`` when the signature fails.
    package func signed(
        by issuerName: String?,
        _ signer: PrivateKey
    ) throws(CryptoFailure) -> [UInt8] {
        let algorithm = Self.algorithm(signer, digest)
        let inner = namesOtherAlgorithmInside ? Self.algorithm(signer, .sha384) : algorithm
        let list = extensions.map { item in
            ASN1.sequence(
                ASN1.identifier(item.identifier),
                item.isCritical ? ASN1.isTrue : [],
                ASN1.octets(item.value)
            )
        }
        let body = ASN1.sequence(
            version == 0 ? [] : ASN1.context(0, holding: ASN1.integer(version)),
            ASN1.integer(serial),
            inner,
            ASN1.name(issuer ?? issuerName),
            ASN1.sequence(ASN1.time(notBefore), ASN1.time(notAfter)),
            ASN1.name(subject),
            spki ?? key.spki,
            list.isEmpty ? [] : ASN1.context(3, holding: ASN1.sequence(of: list))
        )
        var signature = try signer.signature(over: body, digest: digest)
        if breaksSignature, let last = signature.indices.last { signature[last] ^= 1 }
        return ASN1.sequence(body, algorithm, ASN1.bits(signature))
    }

    /// The AlgorithmIdentifier of signatures by `key`.
    package static func algorithm(_ key: PrivateKey, _ digest: PrivateKey.SignatureDigest) -> [UInt8] {
        if key.keyDescription.hasPrefix("RSA") {
            let last = [.md5: 4, .sha1: 5, .sha256: 11, .sha384: 12][digest] ?? 11
            return ASN1.sequence(ASN1.identifier("1.2.840.113549.1.1.\(last)"), ASN1.null)
        }
        let rest = [.sha1: "1", .sha256: "3.2", .sha384: "3.3"][digest] ?? "3.2"
        return ASN1.sequence(ASN1.identifier("1.2.840.10045.4.\(rest)"))
    }
}

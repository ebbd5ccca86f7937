import COpenSSL
package import PinholeModel

/// The content of a certificate that ``signed(by:key:)`` makes.
package struct CertificateTemplate: Sendable {
    /// The permitted uses of the key (RFC 5280 §4.2.1.3).
    ///
    /// The raw value is the first byte of the bit string.
    package struct KeyUsage: OptionSet, Hashable, Sendable {
        /// The bits, with digitalSignature as the highest.
        package let rawValue: UInt8

        /// Creates a set from bits.
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The key may sign handshakes.
        package static let digitalSignature = KeyUsage(rawValue: 0x80)
        /// The key may be used for RSA key transport, in TLS 1.2 without forward secrecy.
        package static let keyEncipherment = KeyUsage(rawValue: 0x20)
        /// The key may sign certificates.
        package static let keyCertSign = KeyUsage(rawValue: 0x04)
        /// The key may sign revocation lists.
        package static let cRLSign = KeyUsage(rawValue: 0x02)
    }

    /// A purpose of the certificate (RFC 5280 §4.2.1.12).
    package enum Purpose: Hashable, Sendable {
        /// The certificate is for a TLS server.
        case serverAuth
        /// The certificate is for a TLS client.
        case clientAuth
    }

    /// The role in a chain, which says whether the certificate may sign others.
    package enum Role: Hashable, Sendable {
        /// The certificate is an end entity.
        case leaf
        /// The certificate is an authority with at most this number of authorities below it; `nil` for no limit.
        case authority(pathLength: UInt8?)
    }

    /// The common name of the subject; `nil` leaves it out.
    package var commonName: String?
    /// The organization of the subject; `nil` leaves it out.
    package var organization: String?
    /// The subjectAltName entries.
    ///
    /// The extension is critical if the subject is empty.
    package var names: [Host] = []
    /// The start of the validity, in whole seconds.
    package var notBefore: Timestamp
    /// The end of the validity, itself included.
    package var notAfter: Timestamp
    /// The role: leaf or authority.
    package var role: Role = .leaf
    /// The extendedKeyUsage; left out if empty.
    package var purposes: [Purpose] = []
    /// The names and addresses that an authority may sign for; `nil` for no limit.
    package var constraints: NameConstraints?
    /// Submits the certificate to logs, and returns the SignedCertificateTimestampList to embed (RFC 6962 §3.3); `nil`
    /// embeds none.
    package var logging: Logging?

    /// Submits a certificate without timestamps, with the issuer, and returns the list of timestamps; `nil` for none.
    package typealias Logging = @Sendable (Certificate, Identity) throws(CryptoFailure) -> [UInt8]?

    /// Creates a template without names.
    package init(commonName: String?, notBefore: Timestamp, notAfter: Timestamp) {
        self.commonName = commonName
        self.notBefore = notBefore
        self.notAfter = notAfter
    }

    /// Makes the certificate of `key` with the signature of `issuer`.
    ///
    /// - Parameters:
    ///   - issuer: The identity that signs; `nil` for a self-signed certificate.
    ///   - key: The key that the certificate is for.
    /// - Returns: The certificate.
    /// - Throws: ``CryptoFailure`` when a name cannot be encoded or the signature fails.
    package func signed(by issuer: Identity?, key: PrivateKey) throws(CryptoFailure) -> Certificate {
        try checkNames()
        OpenSSLQueue.clear()
        guard let certificate = X509_new() else { throw .drainingQueue("could not make a certificate") }
        defer { X509_free(certificate) }
        try fill(certificate, issuer: issuer, key: key)
        for item in extensions(issuer: issuer?.certificate, key: key) where !item.add(to: certificate) {
            throw .drainingQueue("could not add an extension to the certificate for “\(title)”")
        }
        let signer = issuer?.key ?? key
        try sign(certificate, with: signer)
        if let logging, let issuer {
            let submitted = try Certificate(der: encoded { i2d_X509(certificate, $0) } ?? [])
            if let list = try logging(submitted, issuer) {
                guard CertificateExtension.signedTimestamps(list).add(to: certificate) else {
                    throw .drainingQueue("could not add timestamps to the certificate for “\(title)”")
                }
                try sign(certificate, with: signer)
            }
        }
        return try Certificate(borrowing: certificate)
    }

    private func sign(_ certificate: OpaquePointer, with signer: PrivateKey) throws(CryptoFailure) {
        guard X509_sign(certificate, signer.handle.pointer, signer.signatureDigest) > 0 else {
            throw .drainingQueue("could not sign the certificate for “\(title)”")
        }
    }

    private var title: String { commonName ?? names.first?.description ?? "" }

    /// RFC 5280 §4.2.1.6: a dNSName is an IA5String.
    ///
    /// A control character or NUL in a name is an attack.
    private func checkNames() throws(CryptoFailure) {
        for case .name(let name) in names {
            guard !name.isEmpty, name.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
                throw CryptoFailure(
                    "“\(name)” cannot stand in a certificate: expected a name in printable ASCII"
                )
            }
        }
    }

    private func fill(
        _ certificate: OpaquePointer,
        issuer: Identity?,
        key: PrivateKey
    ) throws(CryptoFailure) {
        let draft = CertificateDraft(pointer: certificate)
        // Version 3 is encoded as 2.
        guard X509_set_version(certificate, 2) == 1,
            Self.setSerial(of: draft),
            ASN1_TIME_set(draft.notBefore, Int(notBefore.seconds)) != nil,
            ASN1_TIME_set(draft.notAfter, Int(notAfter.seconds)) != nil,
            let subject = draft.subjectName,
            Self.add(organization, as: NID_organizationName, to: subject),
            Self.add(commonName, as: NID_commonName, to: subject),
            X509_set_issuer_name(certificate, issuer?.certificate.handle.subjectName ?? subject) == 1,
            X509_set_pubkey(certificate, key.handle.pointer) == 1
        else { throw .drainingQueue("could not fill in the certificate for “\(title)”") }
    }

    private func extensions(issuer: Certificate?, key: PrivateKey) -> [CertificateExtension] {
        var list: [CertificateExtension] = []
        switch role {
        case .leaf:
            list.append(.basicConstraints(authority: false, pathLength: nil))
            list.append(.keyUsage(key.isRSA ? [.digitalSignature, .keyEncipherment] : .digitalSignature))
        case .authority(let pathLength):
            list.append(.basicConstraints(authority: true, pathLength: pathLength))
            list.append(.keyUsage([.keyCertSign, .cRLSign]))
            list.append(.subjectKeyIdentifier(Digest.sha1(key.handle.publicBits ?? [])))
        }
        if !purposes.isEmpty { list.append(.extendedKeyUsage(purposes)) }
        if let issuer {
            // RFC 5280 §4.2.1.1: the identifier is the one stored in the issuer, however it was computed. For
            // an issuer without one, method 1 of §4.2.1.2 computes it.
            let identifier = issuer.subjectKeyIdentifier ?? Digest.sha1(issuer.keyBits)
            list.append(.authorityKeyIdentifier(identifier))
        }
        if !names.isEmpty {
            let hasSubject = commonName != nil || organization != nil
            list.append(.subjectAlternativeName(names, isCritical: !hasSubject))
        }
        if let constraints { list.append(.nameConstraints(constraints)) }
        return list
    }

    /// The serial has 19 random bytes with the second-highest bit set.
    ///
    /// So it is positive and never shorter than 151 bits, and stays within the 20 octets of RFC 5280 §4.1.2.2
    /// even with DER's leading zero.
    private static func setSerial(of draft: CertificateDraft) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 19)
        guard RAND_bytes(&bytes, Int32(bytes.count)) == 1 else { return false }
        bytes[0] |= 0x40
        guard let number = BN_bin2bn(bytes, Int32(bytes.count), nil) else { return false }
        defer { BN_free(number) }
        return BN_to_ASN1_INTEGER(number, draft.serialNumber) != nil
    }

    private static func add(_ value: String?, as nid: Int32, to name: OpaquePointer) -> Bool {
        guard let value else { return true }
        let count = Int32(clamping: value.utf8.count)
        return X509_NAME_add_entry_by_NID(name, nid, MBSTRING_UTF8, Array(value.utf8), count, -1, 0) == 1
    }
}

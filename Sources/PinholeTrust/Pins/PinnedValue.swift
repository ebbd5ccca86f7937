import PinholeModel

/// A pin of a policy, in the notation of its mechanism.
package struct PinnedValue: Hashable, Sendable {
    /// The part of a certificate that a pin contains.
    package enum Notation: Hashable, Sendable, CaseIterable {
        /// The whole certificate.
        case certificate
        /// The SHA-256 of the whole certificate.
        case certificateSHA256
        /// The SHA-512 of the whole certificate.
        case certificateSHA512
        /// The SubjectPublicKeyInfo.
        case key
        /// The SHA-1 of the SubjectPublicKeyInfo.
        case keySHA1
        /// The SHA-256 of the SubjectPublicKeyInfo.
        case keySHA256
        /// The SHA-512 of the SubjectPublicKeyInfo.
        case keySHA512
        /// The SHA-256 of the raw key.
        case rawKeySHA256

        /// Returns the bytes of `certificate` in this notation; `nil` if its key has no raw form.
        package func bytes(of certificate: CertificateFacts) -> [UInt8]? {
            switch self {
            case .certificate: certificate.der
            case .certificateSHA256: certificate.sha256
            case .certificateSHA512: certificate.sha512
            case .key: certificate.spki
            case .keySHA1: certificate.spkiSHA1
            case .keySHA256: certificate.spkiSHA256
            case .keySHA512: certificate.spkiSHA512
            case .rawKeySHA256: certificate.rawKeySHA256
            }
        }
    }

    /// The part of the certificate that the pin contains.
    package let notation: Notation
    /// The bytes of the pin.
    package let bytes: [UInt8]
    /// The certificate, if the whole of it is known; otherwise `nil`.
    package let certificate: CertificateFacts?

    /// Creates a pin of a certificate that is not known itself.
    package init(_ notation: Notation, _ bytes: [UInt8]) {
        self.notation = notation
        self.bytes = bytes
        certificate = nil
    }

    /// Creates a pin of a whole certificate.
    package init(_ certificate: CertificateFacts) {
        notation = .certificate
        bytes = certificate.der
        self.certificate = certificate
    }

    /// Reads the SHA-256 of a certificate as `openssl x509 -fingerprint -sha256` and browsers print it.
    ///
    /// - Parameter text: 64 hexadecimal digits in either case; colons and spaces do not count.
    /// - Throws: ``PolicyFailure`` for other text, such as a SHA-1.
    package init(fingerprint text: String) throws(PolicyFailure) {
        let digits = text.filter { $0 != ":" && $0 != " " }
        guard let bytes = Hexadecimal.decode(digits), bytes.count == 32 else {
            let found = digits.utf8.count == 40 && Hexadecimal.decode(digits) != nil ? ", found a SHA-1" : ""
            throw PolicyFailure(
                "“\(text)” is no fingerprint: expected the SHA-256 of a certificate, 64 hexadecimal digits\(found)"
            )
        }
        self.init(.certificateSHA256, bytes)
    }

    /// Creates a pin of a SubjectPublicKeyInfo's digest.
    package init(_ pin: Pin) {
        self.init(pin.algorithm == .sha1 ? .keySHA1 : .keySHA256, pin.digest)
    }

    /// Whether the pin matches `certificate`.
    package func matches(_ certificate: CertificateFacts) -> Bool {
        if notation.bytes(of: certificate) == bytes { return true }
        // GnuTLS stores keys in its own encoding.
        return notation == .key && certificate.key == bytes
    }

    /// Returns the pin of another certificate in the same notation; `nil` if its key has no raw form.
    package func moved(to certificate: CertificateFacts) -> PinnedValue? {
        guard notation != .certificate else { return PinnedValue(certificate) }
        return notation.bytes(of: certificate).map { PinnedValue(notation, $0) }
    }
}

extension Pin {
    /// Creates the pin from a value; `nil` if the value is no digest of a key.
    package init?(_ value: PinnedValue) {
        switch value.notation {
        case .keySHA1: self.init(.sha1, digest: value.bytes)
        case .keySHA256, .rawKeySHA256: self.init(.sha256, digest: value.bytes)
        case .certificate, .certificateSHA256, .certificateSHA512, .key, .keySHA512: return nil
        }
    }
}

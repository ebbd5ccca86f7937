/// One thing that a policy pins, in the notation in which it pins it.
package struct PinnedValue: Hashable, Sendable {
    /// What of a certificate is written down.
    package enum Notation: Hashable, Sendable, CaseIterable {
        /// The whole certificate.
        case certificate
        /// Its SHA-256.
        case certificateSHA256
        /// Its SHA-512.
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

        /// What the notation writes down of `certificate`; `nil` where its key has no raw form.
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

    /// What of a certificate is written down.
    package let notation: Notation
    /// What is written down.
    package let bytes: [UInt8]
    /// The certificate, where the whole of it is known.
    package let certificate: CertificateFacts?

    /// Creates a value that stands for a certificate that is not known.
    package init(_ notation: Notation, _ bytes: [UInt8]) {
        self.notation = notation
        self.bytes = bytes
        certificate = nil
    }

    /// Pins a whole certificate.
    package init(_ certificate: CertificateFacts) {
        notation = .certificate
        bytes = certificate.der
        self.certificate = certificate
    }

    /// Pins the digest of a SubjectPublicKeyInfo.
    package init(_ pin: Pin) {
        self.init(pin.algorithm == .sha1 ? .keySHA1 : .keySHA256, pin.digest)
    }

    /// Whether it is of `certificate`.
    package func matches(_ certificate: CertificateFacts) -> Bool {
        if notation.bytes(of: certificate) == bytes { return true }
        // GnuTLS encodes keys anew.
        return notation == .key && certificate.key == bytes
    }

    /// The same notation of another certificate; `nil` where its key has no raw form.
    package func moved(to certificate: CertificateFacts) -> PinnedValue? {
        guard notation != .certificate else { return PinnedValue(certificate) }
        return notation.bytes(of: certificate).map { PinnedValue(notation, $0) }
    }
}

extension Pin {
    /// The pin that a value is; `nil` where it is no digest of a key.
    package init?(_ value: PinnedValue) {
        switch value.notation {
        case .keySHA1: self.init(.sha1, digest: value.bytes)
        case .keySHA256, .rawKeySHA256: self.init(.sha256, digest: value.bytes)
        case .certificate, .certificateSHA256, .certificateSHA512, .key, .keySHA512: return nil
        }
    }
}

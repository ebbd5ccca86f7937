import PinholeModel

/// The messages for a mismatch: the pins of the judged chain for copying, the configured pins, and a hint if
/// a configured pin is the digest of something else.
package enum PinMismatch {
    /// The sentence for SubjectPublicKeyInfo pins.
    ///
    /// - Parameters:
    ///   - chain: The certificates that were compared.
    ///   - pins: The configured pins.
    ///   - what: The name of the compared certificates, such as `the validated chain`.
    /// - Returns: The sentence.
    package static func spki(_ chain: [CertificateFacts], _ pins: [Pin], in what: String) -> String {
        let configured = ChainText.list(pins.map(\.description))
        let detail =
            "no pin matches \(what); its pins: \(ChainText.pins(chain)); configured: \(configured)"
        return detail + confusions(chain, pins)
    }

    /// The sentence for pinned certificates and their fingerprints.
    static func certificates(
        _ chain: [CertificateFacts],
        _ pinned: [PinnedValue],
        in what: String
    ) -> String {
        let texts = pinned.map {
            $0.certificate.map(fingerprint) ?? "SHA-256 \(Hexadecimal.encode($0.bytes))"
        }
        return
            "no pinned certificate is in \(what); its certificates: \(ChainText.list(chain.map(fingerprint)));"
            + " pinned: \(ChainText.list(texts))"
    }

    /// The sentence for keys that are pinned by certificates.
    package static func keys(
        _ chain: [CertificateFacts],
        _ pinned: [CertificateFacts],
        in what: String
    ) -> String {
        "no pinned key is in \(what); its pins: \(ChainText.pins(chain)); pinned: \(ChainText.pins(pinned))"
    }

    /// A hint that a pin matches another digest of a certificate than the compared one; empty if none does.
    static func confusions(_ chain: [CertificateFacts], _ pins: [Pin]) -> String {
        for certificate in chain {
            for pin in pins where pin.algorithm == .sha256 {
                if pin.digest == certificate.rawKeySHA256 {
                    return "; \(pin) is the digest of the raw key of \(certificate.title)"
                        + " (SecKeyCopyExternalRepresentation), not of its SubjectPublicKeyInfo:"
                        + " write \(certificate.pinText)"
                }
                if pin.digest == certificate.sha256 {
                    return "; \(pin) is the digest of the whole certificate \(certificate.title),"
                        + " not of its SubjectPublicKeyInfo: write \(certificate.pinText)"
                }
            }
        }
        return ""
    }

    /// The subject and the SHA-256 of the certificate in hexadecimal, as browsers show it.
    private static func fingerprint(_ certificate: CertificateFacts) -> String {
        "\(certificate.title) (SHA-256 \(Hexadecimal.encode(certificate.sha256)))"
    }
}

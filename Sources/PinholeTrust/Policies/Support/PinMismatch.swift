/// What is said when no pin matches: the pins of the judged chain ready to paste, the configured ones,
/// and whether one of these is a digest of something else.
package enum PinMismatch {
    /// The sentence for pins of SubjectPublicKeyInfos.
    ///
    /// - Parameters:
    ///   - chain: The certificates that were compared.
    ///   - pins: The configured pins.
    ///   - what: What was compared, `the validated chain`.
    /// - Returns: The sentence.
    package static func spki(_ chain: [CertificateFacts], _ pins: [Pin], in what: String) -> String {
        let configured = ChainText.list(pins.map(\.description))
        let detail =
            "no pin matches \(what); its pins: \(ChainText.pins(chain)); configured: \(configured)"
        return detail + confusions(chain, pins)
    }

    /// The sentence for pinned certificates.
    package static func certificates(
        _ chain: [CertificateFacts],
        _ pinned: [CertificateFacts],
        in what: String
    ) -> String {
        "no pinned certificate is in \(what); its certificates: \(ChainText.list(chain.map(fingerprint)));"
            + " pinned: \(ChainText.list(pinned.map(fingerprint)))"
    }

    /// The sentence for pinned keys that stand in certificates.
    package static func keys(
        _ chain: [CertificateFacts],
        _ pinned: [CertificateFacts],
        in what: String
    ) -> String {
        "no pinned key is in \(what); its pins: \(ChainText.pins(chain)); pinned: \(ChainText.pins(pinned))"
    }

    /// What pins were taken for: they match another digest of a certificate than the one that is compared.
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

    /// The subject with the SHA-256 of the certificate in hexadecimal, as browsers show it.
    private static func fingerprint(_ certificate: CertificateFacts) -> String {
        "\(certificate.title) (SHA-256 \(Hexadecimal.encode(certificate.sha256)))"
    }
}

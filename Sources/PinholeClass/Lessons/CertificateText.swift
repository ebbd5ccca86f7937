import PinholeCrypto
import PinholeModel

/// Certificates as text, for students who have no openssl.
enum CertificateText {
    /// Returns a chain as text, a block for each certificate.
    static func chain(_ chain: [Certificate]) -> String {
        chain.enumerated().map { text($1, number: $0 + 1) }.joined(separator: "\n")
    }

    static func text(_ certificate: Certificate, number: Int) -> String {
        let names = certificate.subjectAlternativeNames.map(\.description)
        return """
            \(number).
              subject      \(certificate.subject)
              issuer       \(certificate.issuer)
              valid until  \(certificate.notAfter.iso8601.prefix(10))
              names        \(names.isEmpty ? "none" : names.joined(separator: ", "))
              SHA-256      \(Digest.text(certificate.fingerprintSHA256))
              pin          \(certificate.pin)

            """
    }
}

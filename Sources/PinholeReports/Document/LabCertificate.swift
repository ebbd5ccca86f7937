import PinholeCrypto
import PinholeModel
package import PinholeTrust

/// A certificate in a report.
package struct LabCertificate: Sendable, Hashable {
    /// The SHA-256 of the whole certificate, in hexadecimal.
    package let sha256: String
    /// The subject, for people.
    package let subject: String
    /// The issuer, for people.
    package let issuer: String
    /// The names and addresses that it is for.
    package let names: [String]
    /// The start of its validity, as RFC 3339 writes it.
    package let notBefore: String
    /// The end of its validity, as RFC 3339 writes it.
    package let notAfter: String
    /// The kind and size of its key.
    package let key: String
    /// The pin of its key: `sha256/` and Base64.
    package let pin: String
    /// The certificate in PEM; `nil` if a document omits it.
    package let pem: String?
}

extension LabCertificate {
    /// Takes from a certificate the facts that reports contain.
    package init(_ facts: CertificateFacts) {
        sha256 = Hexadecimal.encode(facts.sha256)
        subject = facts.subject
        issuer = facts.issuer
        names = facts.names.map(\.description)
        notBefore = facts.notBefore.iso8601
        notAfter = facts.notAfter.iso8601
        key = facts.keyKind.title
        pin = "sha256/" + Base64.encode(facts.spkiSHA256)
        pem = (try? Certificate(der: facts.der))?.pem
    }
}

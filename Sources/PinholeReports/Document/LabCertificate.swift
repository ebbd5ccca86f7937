import PinholeCrypto
import PinholeModel
package import PinholeTrust

/// A certificate in a report.
package struct LabCertificate: Sendable, Hashable {
    /// The SHA-256 of the whole certificate, in hexadecimal.
    package internal(set) var sha256 = ""
    /// The subject, for people.
    package internal(set) var subject = ""
    /// The issuer, for people.
    package internal(set) var issuer = ""
    /// The names and addresses that it is for.
    package internal(set) var names: [String] = []
    /// The start of its validity, as RFC 3339 writes it.
    package internal(set) var notBefore = ""
    /// The end of its validity, as RFC 3339 writes it.
    package internal(set) var notAfter = ""
    /// The kind and size of its key.
    package internal(set) var key = ""
    /// The pin of its key: `sha256/` and Base64.
    package internal(set) var pin = ""
    /// The certificate in PEM; `nil` if a document omits it.
    package internal(set) var pem: String?
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

/// A certificate of a path with its fields.
package struct PathCertificate: Sendable {
    let facts: CertificateFacts
    let fields: ParsedCertificate

    /// Whether subject and issuer are the same name (RFC 5280 §6.1).
    var isSelfIssued: Bool { fields.subject.parts == fields.issuer.parts }
}

extension VerifierProfile {
    /// A fault that names the profile which asks.
    func fault(_ kind: ChainFault.Kind, _ depth: Int?, _ sentence: String) -> ChainFault {
        ChainFault(kind, depth: depth, "\(sentence) (verifier \(name.rawValue))")
    }
}

import PinholeModel

extension LabEvidence {
    /// Describes the evidence in a few lines, for reports that are read as text.
    func lines(_ certificates: [String: LabCertificate]) -> [String] {
        var lines = [summary]
        if let error { lines.append("client's error: \(error.title): \(error.detail)") }
        if let alert { lines.append("client's alert: \(alert)") }
        if let tlsVersion {
            lines.append(
                "TLS with the man in the middle: \(([tlsVersion, cipher].compactMap { $0 }).joined(separator: ", "))"
            )
        }
        for digest in presented {
            guard let certificate = certificates[digest] else { continue }
            lines.append(
                "shown: \(certificate.subject), issued by \(certificate.issuer), key \(certificate.pin)"
            )
        }
        lines += requests.map { "read by the man in the middle: \($0)" }
        return lines
    }
}

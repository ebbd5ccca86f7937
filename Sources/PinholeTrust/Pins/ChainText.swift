import PinholeModel

/// Describes chains and pins in sentences.
package enum ChainText {
    /// Describes a path and the question: `CN=api.test ← CN=Root CA; names api.test; valid at 2026-…`.
    package static func path(_ certificates: [CertificateFacts], for question: ChainQuestion) -> String {
        var parts = [subjects(certificates)]
        parts.append(question.host.map { "names \($0)" } ?? "no name asked for")
        if !question.requiresServerPurpose { parts.append("purpose not asked for") }
        parts.append("valid at \(question.time.iso8601)")
        return parts.joined(separator: "; ")
    }

    /// Lists the subjects from the leaf up: `CN=api.test ← CN=Issuing CA ← CN=Root CA`.
    package static func subjects(_ certificates: [CertificateFacts]) -> String {
        guard !certificates.isEmpty else { return "no certificate" }
        return certificates.map(\.title).joined(separator: " ← ")
    }

    /// Lists the pins of a chain for copying: `sha256/… (CN=api.test), sha256/… (CN=Root CA)`.
    package static func pins(_ certificates: [CertificateFacts]) -> String {
        guard !certificates.isEmpty else { return "none" }
        return certificates.map { "\($0.pinText) (\($0.title))" }.joined(separator: ", ")
    }

    /// Writes a number with a noun: `1 pin`, `2 pins`.
    package static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }

    /// Lists at most ten elements, and the number of the others.
    package static func list(_ elements: [String]) -> String {
        guard elements.count > 10 else {
            return elements.isEmpty ? "none" : elements.joined(separator: ", ")
        }
        return elements.prefix(10).joined(separator: ", ") + " and \(elements.count - 10) more"
    }
}

extension CertificateFacts {
    /// The subject, or the first name if the subject is empty (RFC 5280 §4.1.2.6).
    package var title: String {
        subject.isEmpty ? names.first.map { "SAN \($0)" } ?? "no subject" : subject
    }

    /// The pin in OkHttp's notation: `sha256/` and Base64.
    package var pinText: String {
        Pin(digest: spkiSHA256)?.description ?? "sha256/?"
    }
}

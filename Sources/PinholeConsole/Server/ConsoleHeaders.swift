/// The field lines that every answer has.
package enum ConsoleHeaders {
    /// The Content-Security-Policy of the page, which may load only the console's own files.
    static let policy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; media-src blob:; \
        connect-src 'self'; \
        font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'
        """

    private static let always = [
        ("Content-Security-Policy", policy), ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Resource-Policy", "same-origin"), ("Cache-Control", "no-store"),
    ]

    /// Returns the field lines of an answer: its own, and the common ones that it does not override.
    static func all(for answer: ConsoleAnswer) -> [(name: String, value: String)] {
        let own = Set(answer.fields.map { $0.name.lowercased() })
        return answer.fields
            + always.filter { !own.contains($0.0.lowercased()) }.map { (name: $0.0, value: $0.1) }
    }
}

extension ConsoleHeaders {
    /// Returns a peer's text as the value of a field: bounded, and only printable ASCII.
    package static func safe(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.prefix(200).map { (0x20...0x7e).contains($0.value) ? $0 : "?" }
            )
        )
    }
}

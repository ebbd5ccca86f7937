/// The field lines that every answer has.
enum ConsoleHeaders {
    /// What a page may load and do: its own files, and nothing from elsewhere.
    static let policy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; \
        font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'
        """

    private static let always = [
        ("Content-Security-Policy", policy), ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Resource-Policy", "same-origin"), ("Cache-Control", "no-store"),
    ]

    /// The lines of an answer: its own, which win, and those that it has not.
    static func all(for answer: ConsoleAnswer) -> [(name: String, value: String)] {
        let own = Set(answer.fields.map { $0.name.lowercased() })
        return answer.fields
            + always.filter { !own.contains($0.0.lowercased()) }.map { (name: $0.0, value: $0.1) }
    }
}

extension ConsoleHeaders {
    /// A text that a peer wrote, as the value of a field: printable ASCII, and not too long.
    static func safe(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.prefix(200).map { (0x20...0x7e).contains($0.value) ? $0 : "?" }
            )
        )
    }
}

/// Writes lines of CSV (RFC 4180) that are safe in spreadsheets and on terminals.
package enum CSVText {
    /// Returns a line without its end.
    ///
    /// An apostrophe precedes a value that a spreadsheet would take for a formula. Invisible characters are made
    /// visible, except tabs and the ends of lines within a value.
    package static func line(_ values: [String]) -> String {
        values.map(field).joined(separator: ",")
    }

    private static func field(_ value: String) -> String {
        let shown = visible(value)
        let text = isFormula(value) ? "'" + shown : shown
        // Scalars are compared, because a comma and a combining mark form one Character that is no comma.
        guard text.unicodeScalars.contains(where: ",\"\r\n".unicodeScalars.contains) else { return text }
        let doubled = text.unicodeScalars.flatMap { $0 == "\"" ? [$0, $0] : [$0] }
        return "\"\(String(String.UnicodeScalarView(doubled)))\""
    }

    /// Whether a spreadsheet may compute a value; spreadsheets for Chinese and Japanese read full-width signs, too.
    private static func isFormula(_ value: String) -> Bool {
        guard let first = value.unicodeScalars.first else { return false }
        if "\t\r\n".unicodeScalars.contains(first) { return true }
        let sign = value.unicodeScalars.first { !$0.isUnseen && !$0.properties.isWhitespace }
        return sign.map("=+-@＝＋－＠".unicodeScalars.contains) ?? false
    }

    private static func visible(_ value: String) -> String {
        guard value.unicodeScalars.contains(where: \.isUnseen) else { return value }
        let lines = value.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.enumerated().map { index, line in
            let hasReturn = index < lines.count - 1 && line.last == "\r"
            let cells = (hasReturn ? line.dropLast() : line)
                .split(separator: "\t", omittingEmptySubsequences: false)
            return cells.map { TerminalText.line(String($0)) }.joined(separator: "\t")
                + (hasReturn ? "\r" : "")
        }.joined(separator: "\n")
    }
}

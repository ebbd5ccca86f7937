import PinholeModel

/// Splits the text of a filter into words.
struct FilterScanner {
    /// A text with the column of each of its scalars.
    struct Word {
        var text = ""
        var columns: [Int] = []
        let column: Int
        let isQuoted: Bool

        mutating func append(_ scalar: Unicode.Scalar, column: Int) {
            text.unicodeScalars.append(scalar)
            columns.append(column)
        }
    }

    let source: String
    private let scalars: [Unicode.Scalar]
    var position = 0

    init(_ source: String) {
        self.source = source
        scalars = Array(source.unicodeScalars)
    }

    var peek: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    var column: Int { position + 1 }

    func peek(_ offset: Int) -> Unicode.Scalar? {
        position + offset < scalars.count ? scalars[position + offset] : nil
    }

    func follows(_ text: String) -> Bool { scalars[position...].starts(with: text.unicodeScalars) }

    mutating func skipSpace() {
        while let scalar = peek, scalar.properties.isWhitespace { position += 1 }
    }

    mutating func take(_ text: String) -> Bool {
        guard follows(text) else { return false }
        position += text.unicodeScalars.count
        return true
    }

    /// Takes `word`, in any case, if it stands alone.
    mutating func takeWord(_ word: String) -> Bool {
        let count = word.unicodeScalars.count
        guard position + count <= scalars.count,
            String(String.UnicodeScalarView(scalars[position..<position + count])).lowercased() == word,
            Self.endsWord(peek(count))
        else { return false }
        position += count
        return true
    }

    /// Takes a name: a letter, and then letters, digits, `.`, `_` and `-`.
    mutating func name() -> String? {
        let start = position
        while let scalar = peek, scalar.isASCII,
            scalar.properties.isAlphabetic || (position > start && Self.continuesName(scalar))
        {
            position += 1
        }
        guard position > start else { return nil }
        return String(String.UnicodeScalarView(scalars[start..<position]))
    }

    /// Takes a text in quotes; a backslash escapes only a quote or a backslash.
    mutating func quoted() throws(FilterFailure) -> Word? {
        guard let quote = peek, quote == "\"" || quote == "'" else { return nil }
        var word = Word(column: column, isQuoted: true)
        position += 1
        while let scalar = peek, scalar != quote {
            if scalar == "\\", let next = peek(1), next == quote || next == "\\" { position += 1 }
            guard let meant = peek else { break }
            word.append(meant, column: column)
            position += 1
        }
        guard take(String(quote)) else {
            throw failure("a closing \(quote)", at: word.column, found: "the end")
        }
        return word
    }

    /// Takes an expression without quotes, which ends as in mitmproxy at white space, parentheses, quotes or `~`.
    mutating func expression() -> Word? {
        let start = position
        var end = position
        while end < scalars.count, Self.isExpression(scalars[end]) { end += 1 }
        // An operator at the end belongs to the next word, as in `~d a& ~u b`.
        while end > start, "&|!".unicodeScalars.contains(scalars[end - 1]) { end -= 1 }
        return word(upTo: end)
    }

    /// Takes a value without quotes, which ends at white space, parentheses, quotes, `&` or `|`.
    mutating func value() -> Word? {
        var end = position
        while end < scalars.count, !Self.endsValue(scalars[end]) { end += 1 }
        return word(upTo: end)
    }

    private mutating func word(upTo end: Int) -> Word? {
        guard end > position else { return nil }
        var word = Word(column: column, isQuoted: false)
        while position < end {
            word.append(scalars[position], column: column)
            position += 1
        }
        return word
    }

    /// The text at the current position, for a message after “found”.
    var found: String {
        guard let scalar = peek else { return "the end" }
        let end = (position..<scalars.count).first { Self.endsValue(scalars[$0]) } ?? scalars.count
        let shown = scalars[position..<max(min(end, position + 40), position + 1)]
        return scalar.isUnseen && !scalar.properties.isWhitespace
            ? "a control character" : TerminalText.quoted(String(String.UnicodeScalarView(shown)))
    }

    func failure(
        _ expected: String,
        at column: Int? = nil,
        found: String? = nil,
        remedy: String? = nil,
        suggestion: String? = nil
    ) -> FilterFailure {
        FilterFailure(
            source: source,
            column: column ?? self.column,
            expected: expected,
            found: found ?? self.found,
            remedy: remedy,
            suggestion: suggestion
        )
    }

    static func endsWord(_ scalar: Unicode.Scalar?) -> Bool {
        guard let scalar else { return true }
        return scalar.properties.isWhitespace || "()&|!\"'~".unicodeScalars.contains(scalar)
    }

    private static func continuesName(_ scalar: Unicode.Scalar) -> Bool {
        ("0"..."9").contains(scalar) || "._-".unicodeScalars.contains(scalar)
    }

    private static func isExpression(_ scalar: Unicode.Scalar) -> Bool {
        !scalar.properties.isWhitespace && !"()~\"'".unicodeScalars.contains(scalar)
    }

    private static func endsValue(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || "()\"'&|".unicodeScalars.contains(scalar)
    }
}

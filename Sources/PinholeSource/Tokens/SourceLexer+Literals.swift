extension SourceLexer {
    /// Whether the literal at the index is a command that the language runs; Perl's name for the operator is `qx`.
    var isCommand: Bool {
        switch language {
        case .php: byte() == UInt8(ascii: "`")
        case .ruby: byte() == UInt8(ascii: "`") || commandForm != nil
        default: false
        }
    }

    /// `%x(…)` of Ruby and `qx(…)` of Perl, between brackets, braces or equal marks.
    private var commandForm: Form? {
        guard hasPrefix("%x") || hasPrefix("qx") else { return nil }
        let closing: UInt8? =
            switch byte(2) {
            case UInt8(ascii: "("): UInt8(ascii: ")")
            case UInt8(ascii: "{"): UInt8(ascii: "}")
            case UInt8(ascii: "["): UInt8(ascii: "]")
            case UInt8(ascii: "|"), UInt8(ascii: "!"), UInt8(ascii: "/"): byte(2)
            default: nil
            }
        return closing.map { Form(length: 3, quote: $0, isLong: true) }
    }

    /// Reads the text between the long brackets of Lua that begin at the index, `[[…]]` and `[==[…]==]`, and goes
    /// behind it; `nil` if there are none.
    mutating func longBracket() -> [SourceToken.Piece]? {
        guard byte() == UInt8(ascii: "[") else { return nil }
        var level = 1
        while byte(level) == UInt8(ascii: "=") { level += 1 }
        guard byte(level) == UInt8(ascii: "[") else { return nil }
        let closing = "]" + String(repeating: "=", count: level - 1) + "]"
        index += level + 1
        let start = index
        while index < code.count, !hasPrefix(closing) { index += 1 }
        let text = String(decoding: code[start..<index], as: UTF8.self)
        index += level + 1
        return [.text(text)]
    }

    /// Reads a character of Erlang, `$"`, or of Elixir, `?"`, and goes behind it; `nil` if there is none.
    mutating func character() -> [SourceToken.Piece]? {
        let sign: UInt8? =
            switch language {
            case .erlang: UInt8(ascii: "$")
            case .elixir: "\"'#\\~".utf8.contains(byte(1)) ? UInt8(ascii: "?") : nil
            default: nil
            }
        guard byte() == sign, byte(1) > 0x20 else { return nil }
        let length = byte(1) == UInt8(ascii: "\\") ? 3 : 2
        let text = String(decoding: code[index..<min(index + length, code.count)], as: UTF8.self)
        index += length
        return [.text(text)]
    }

    /// A sigil of Elixir, `~s(…)`, `~S"""…"""`; those with a capital letter have no escapes.
    private var sigil: Form? {
        guard byte() == UInt8(ascii: "~") else { return nil }
        var letters = 1
        while SourceLexer.isWord(byte(letters)), letters < 16 { letters += 1 }
        guard letters > 1 else { return nil }
        let opening = byte(letters)
        let closing: UInt8? =
            switch opening {
            case UInt8(ascii: "("): UInt8(ascii: ")")
            case UInt8(ascii: "{"): UInt8(ascii: "}")
            case UInt8(ascii: "["): UInt8(ascii: "]")
            case UInt8(ascii: "<"): UInt8(ascii: ">")
            case _ where "|/\"'".utf8.contains(opening): opening
            default: nil
            }
        guard let closing else { return nil }
        var form = Form(length: letters + 1, quote: closing, isLong: true)
        form.hasEscapes = byte(1) >= UInt8(ascii: "a")
        return form
    }

    /// The form of a literal.
    private struct Form {
        /// The bytes in front of the text: prefix and quotation marks.
        var length = 1
        var quote: UInt8
        /// The number of quotation marks at each end.
        var marks = 1
        /// The number of `#` at the end, and behind the backslash of an escape.
        var hashes = 0
        var hasEscapes = true
        /// Whether a doubled quotation mark stands for one.
        var doubles = false
        var templates: SourceLanguage.Templates = []
        var isLong: Bool
    }

    /// Reads the literal at the index and goes behind it; `nil` if there is none.
    mutating func literal() -> [SourceToken.Piece]? {
        if language == .lua, let text = longBracket() { return text }
        guard var form = form() else { return nil }
        if form.marks == 1, language.hasLongLiterals, "\"'".utf8.contains(form.quote),
            byte(form.length) == form.quote, byte(form.length + 1) == form.quote, !form.doubles
        {
            form.marks = 3
            form.length += 2
            form.isLong = true
            if language == .kotlin { form.hasEscapes = false }
            if language == .cSharp { form.hasEscapes = false }
        }
        index += form.length
        return body(form)
    }

    /// The form of the literal that begins at the index.
    private func form() -> Form? {
        let first = byte()
        if language.isQuote(first) {
            // A lifetime of Rust: `'a`.
            if language == .rust, first == UInt8(ascii: "'"), byte(1) != UInt8(ascii: "\\"),
                byte(2) != UInt8(ascii: "'")
            {
                return nil
            }
            var form = Form(
                quote: first,
                templates: language.templates(in: first),
                isLong: first == UInt8(ascii: "`") || [.php, .rust, .elixir, .erlang].contains(language)
            )
            if first == UInt8(ascii: "`"), language == .go { form.hasEscapes = false }
            return form
        }
        switch language {
        case .python, .dart, .rust: return prefixedForm()
        case .cSharp: return verbatimForm()
        case .swift: return extendedForm()
        case .ruby: return commandForm
        case .elixir: return sigil
        case .objectiveC, .unknown:
            guard first == UInt8(ascii: "@"), byte(1) == UInt8(ascii: "\"") else { return nil }
            return Form(length: 2, quote: UInt8(ascii: "\""), isLong: false)
        default: return nil
        }
    }

    /// `r"…"`, `f'…'`, `b"…"`, `br#"…"#`: letters in front of the quotation mark.
    private func prefixedForm() -> Form? {
        // The letters are no end of a longer name: a name is read as a whole.
        var letters = 0
        while letters < 3, "rRbBuUfF".utf8.contains(byte(letters)) { letters += 1 }
        guard letters > 0, letters < 3 else { return nil }
        let prefix = (0..<letters).map { byte($0) | 0x20 }
        let isRaw = prefix.contains(UInt8(ascii: "r"))
        var hashes = 0
        if language == .rust, isRaw { while byte(letters + hashes) == UInt8(ascii: "#") { hashes += 1 } }
        let quote = byte(letters + hashes)
        guard quote == UInt8(ascii: "\"") || (quote == UInt8(ascii: "'") && language != .rust) else {
            return nil
        }
        if language == .dart, prefix != [UInt8(ascii: "r")] { return nil }
        let hasBraces = language == .python && prefix.contains(UInt8(ascii: "f"))
        return Form(
            length: letters + hashes + 1,
            quote: quote,
            hashes: hashes,
            hasEscapes: !isRaw,
            templates: hasBraces ? .braces : [],
            isLong: language == .rust
        )
    }

    /// `$"…"`, `@"…"` and `$@"…"` of C#.
    private func verbatimForm() -> Form? {
        var length = 0
        var isVerbatim = false
        var hasBraces = false
        while length < 3, byte(length) == UInt8(ascii: "@") || byte(length) == UInt8(ascii: "$") {
            if byte(length) == UInt8(ascii: "@") { isVerbatim = true } else { hasBraces = true }
            length += 1
        }
        guard length > 0, byte(length) == UInt8(ascii: "\"") else { return nil }
        return Form(
            length: length + 1,
            quote: UInt8(ascii: "\""),
            hasEscapes: !isVerbatim,
            doubles: isVerbatim,
            templates: hasBraces ? .braces : [],
            isLong: isVerbatim
        )
    }

    /// `#"…"#` of Swift.
    private func extendedForm() -> Form? {
        var hashes = 0
        while hashes < 64, byte(hashes) == UInt8(ascii: "#") { hashes += 1 }
        guard hashes > 0, byte(hashes) == UInt8(ascii: "\"") else { return nil }
        return Form(
            length: hashes + 1,
            quote: UInt8(ascii: "\""),
            hashes: hashes,
            templates: .backslash,
            isLong: false
        )
    }

    /// Reads the text up to the closing marks.
    ///
    /// A literal that is not closed ends with its line, unless it may have several.
    private mutating func body(_ form: Form) -> [SourceToken.Piece] {
        var pieces: [SourceToken.Piece] = []
        var text: [UInt8] = []
        func flush() {
            if !text.isEmpty { pieces.append(.text(String(decoding: text, as: UTF8.self))) }
            text = []
        }
        while index < code.count {
            if isEnd(form) {
                index += form.marks + form.hashes
                break
            }
            if byte() == 0x0a, !form.isLong { break }
            if form.doubles, byte() == form.quote, byte(1) == form.quote {
                text.append(form.quote)
                index += 2
            } else if let expression = expression(form) {
                if let written = Self.writtenText(in: expression) {
                    text += written
                } else {
                    flush()
                    pieces.append(.expression(expression))
                }
            } else if form.hasEscapes, isEscape(form) {
                index += 1 + form.hashes
                text += escape()
            } else {
                text.append(byte())
                index += 1
            }
        }
        flush()
        return form.marks == 3 ? Self.trimmed(pieces) : pieces
    }

    /// The text of an expression that is a literal alone: `${'text'}`; `nil` for others.
    private static func writtenText(in expression: String) -> Substring.UTF8View? {
        let text = expression.utf8
        guard text.count >= 2, let quote = text.first, "\"'`".utf8.contains(quote), text.last == quote else {
            return nil
        }
        let inner = expression.dropFirst().dropLast().utf8
        return inner.contains { $0 == quote || $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "$") }
            ? nil : inner
    }

    private func isEnd(_ form: Form) -> Bool {
        for distance in 0..<form.marks where byte(distance) != form.quote { return false }
        for distance in 0..<form.hashes where byte(form.marks + distance) != UInt8(ascii: "#") {
            return false
        }
        return !(form.doubles && byte(1) == form.quote)
    }

    private func isEscape(_ form: Form) -> Bool {
        guard byte() == UInt8(ascii: "\\") else { return false }
        for distance in 0..<form.hashes where byte(1 + distance) != UInt8(ascii: "#") { return false }
        return true
    }

    /// Reads what stands behind the backslash of an escape.
    private mutating func escape() -> [UInt8] {
        let letter = byte()
        index += 1
        switch letter {
        case UInt8(ascii: "n"): return [0x0a]
        case UInt8(ascii: "r"): return [0x0d]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "0"): return [0]
        // The literal goes on in the next line.
        case 0x0a: return []
        case UInt8(ascii: "x"): return scalar(2)
        case UInt8(ascii: "u"), UInt8(ascii: "U"):
            guard byte() == UInt8(ascii: "{") else { return scalar(letter == UInt8(ascii: "u") ? 4 : 8) }
            index += 1
            let bytes = scalar(8)
            if byte() == UInt8(ascii: "}") { index += 1 }
            return bytes
        default: return [letter]
        }
    }

    /// Reads up to `digits` hexadecimal digits as a character.
    private mutating func scalar(_ digits: Int) -> [UInt8] {
        var value: UInt32 = 0
        var read = 0
        while read < digits, let digit = Character(Unicode.Scalar(byte())).hexDigitValue {
            value = value << 4 | UInt32(digit)
            read += 1
            index += 1
        }
        return Unicode.Scalar(value).map { Array(String($0).utf8) } ?? []
    }

    /// Reads an expression within a literal; `nil` if none begins there.
    private mutating func expression(_ form: Form) -> String? {
        let templates = form.templates
        switch byte() {
        case UInt8(ascii: "$") where !templates.isDisjoint(with: [.dollar, .dollarBraces]):
            if byte(1) == UInt8(ascii: "{") { return bracketed(2, UInt8(ascii: "}")) }
            guard templates.contains(.dollar), Self.isWord(byte(1)), byte(1) != UInt8(ascii: "$") else {
                return nil
            }
            index += 1
            let start = index
            while Self.isWord(byte()) { index += 1 }
            return String(decoding: code[start..<index], as: UTF8.self)
        case UInt8(ascii: "\\") where templates.contains(.backslash):
            guard isEscape(form), byte(1 + form.hashes) == UInt8(ascii: "(") else { return nil }
            return bracketed(2 + form.hashes, UInt8(ascii: ")"))
        case UInt8(ascii: "{") where templates.contains(.braces):
            if byte(1) == UInt8(ascii: "{") {
                index += 1
                return nil
            }
            return bracketed(1, UInt8(ascii: "}"))
        default: return nil
        }
    }

    /// Reads an expression up to its closing bracket, over brackets and literals within.
    private mutating func bracketed(_ opening: Int, _ closing: UInt8) -> String {
        index += opening
        let start = index
        var depth = 0
        while index < code.count, byte() != 0x0a {
            switch byte() {
            case UInt8(ascii: "{"), UInt8(ascii: "("): depth += 1
            case closing where depth == 0:
                let text = String(decoding: code[start..<index], as: UTF8.self)
                index += 1
                return text
            case UInt8(ascii: "}"), UInt8(ascii: ")"): depth -= 1
            case UInt8(ascii: "\""), UInt8(ascii: "'"): skipPlainLiteral()
            case UInt8(ascii: "\\") where byte(1) > 0x20: index += 1
            default: break
            }
            index += 1
        }
        return String(decoding: code[start..<index], as: UTF8.self)
    }

    /// Goes to the closing mark of a literal within an expression.
    private mutating func skipPlainLiteral() {
        let quote = byte()
        var place = index + 1
        while place < code.count, code[place] != quote, code[place] != 0x0a {
            place += code[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        if place < code.count, code[place] == quote { index = place }
    }

    /// Leaves out the first and the last line of a literal of several lines if they are blank, and the indentation.
    private static func trimmed(_ pieces: [SourceToken.Piece]) -> [SourceToken.Piece] {
        guard pieces.count == 1, case .text(let text) = pieces[0], text.utf8.contains(0x0a) else {
            return pieces
        }
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let isBlank = { (line: Substring) in line.allSatisfy { $0 == " " || $0 == "\t" || $0 == "\r" } }
        if let first = lines.first, isBlank(first) { lines.removeFirst() }
        if let last = lines.last, isBlank(last) { lines.removeLast() }
        let indents = lines.filter { !isBlank($0) }.map { $0.prefix { $0 == " " || $0 == "\t" }.count }
        let indent = indents.min() ?? 0
        return [.text(lines.map { $0.dropFirst(indent) }.joined(separator: "\n"))]
    }
}

/// Divides source code into tokens, by the rules of its language.
package struct SourceLexer {
    let code: [UInt8]
    let language: SourceLanguage
    var index = 0
    private var line = 1
    private var lineStart = 0
    private var tokens: [SourceToken] = []
    /// The bytes that may still be read for patterns that do not end.
    private var patience = 1 << 22
    /// The places of comments, and of the texts that document Python's code.
    private var comments: [Range<Int>] = []

    /// Returns source code with spaces for its comments, line by line.
    ///
    /// - Parameters:
    ///   - code: The source code in UTF-8.
    ///   - language: Its language.
    /// - Returns: The code, of the same length.
    package static func withoutComments(_ code: [UInt8], _ language: SourceLanguage) -> [UInt8] {
        var lexer = SourceLexer(code, language)
        lexer.run()
        var rest = code
        for comment in lexer.comments {
            for place in comment where rest[place] != 0x0a { rest[place] = 0x20 }
        }
        return rest
    }

    /// Divides source code into tokens.
    ///
    /// - Parameters:
    ///   - code: The source code in UTF-8.
    ///   - language: Its language.
    /// - Returns: The tokens in their order.
    package static func tokens(in code: [UInt8], _ language: SourceLanguage) -> [SourceToken] {
        var lexer = SourceLexer(code, language)
        lexer.run()
        return lexer.tokens
    }

    init(_ code: [UInt8], _ language: SourceLanguage) {
        self.code = code
        self.language = language
    }

    private mutating func run() {
        while index < code.count {
            let start = index
            let place = (line, start - lineStart)
            let kind = next()
            // An escape may be the last byte.
            index = min(index, code.count)
            if kind == nil && index > start + 1 || isDocumentation(start) { comments.append(start..<index) }
            if let kind {
                tokens.append(SourceToken(kind: kind, line: place.0, column: place.1))
            }
            for position in start..<index where code[position] == 0x0a {
                line += 1
                lineStart = position + 1
            }
        }
    }

    /// Whether a literal of several lines is a statement of its own.
    private func isDocumentation(_ start: Int) -> Bool {
        guard language == .python, index >= start + 6, tokens.last?.line != line else { return false }
        let marks = code[start..<(start + 3)]
        return (marks.allSatisfy { $0 == UInt8(ascii: "\"") } || marks.allSatisfy { $0 == UInt8(ascii: "'") })
            && tokens.last?.isMark(of: "([{,=+") != true
    }

    /// The byte at a distance from the place that is read; 0 behind the end.
    func byte(_ distance: Int = 0) -> UInt8 {
        let place = index + distance
        return place >= 0 && place < code.count ? code[place] : 0
    }

    /// Whether the code goes on with a text.
    func hasPrefix(_ text: String) -> Bool {
        var place = index
        for byte in text.utf8 {
            guard place < code.count, code[place] == byte else { return false }
            place += 1
        }
        return true
    }

    /// Reads the token at the index and goes behind it; `nil` for white space and comments.
    private mutating func next() -> SourceToken.Kind? {
        let byte = byte()
        if byte <= 0x20 {
            index += 1
            return nil
        }
        if skipComment() { return nil }
        if isCommand {
            tokens.append(SourceToken(kind: .name("qx"), line: line, column: index - lineStart))
        }
        // An atom of Erlang is the same with and without quotes.
        if language == .erlang, byte == UInt8(ascii: "'"), let name = quotedName() { return .name(name) }
        if let literal = character() ?? literal() { return .literal(literal) }
        if Self.isWord(byte) { return .name(word()) }
        if byte == UInt8(ascii: "`"), let name = quotedName() { return .name(name) }
        if byte == UInt8(ascii: "/"), language == .script, skipPattern() { return .mark("/") }
        index += 1
        return .mark(Character(Unicode.Scalar(byte)))
    }

    private mutating func skipComment() -> Bool {
        switch byte() {
        case UInt8(ascii: "/") where language.hasSlashComments:
            if byte(1) == UInt8(ascii: "/") {
                skipLine()
                return true
            }
            guard byte(1) == UInt8(ascii: "*") else { return false }
            skipBlockComment()
            return true
        case UInt8(ascii: "-") where language == .lua && byte(1) == UInt8(ascii: "-"):
            index += 2
            if longBracket() == nil { skipLine() }
            return true
        case UInt8(ascii: "%") where language == .erlang:
            skipLine()
            return true
        case UInt8(ascii: "#"):
            // `#[` is an attribute of PHP.
            if language.hasHashComments, !(language == .php && byte(1) == UInt8(ascii: "[")) {
                skipLine()
                return true
            }
            guard language.hasConditions, isExcluded else { return false }
            skipExcluded()
            return true
        default: return false
        }
    }

    private mutating func skipLine() {
        while index < code.count, code[index] != 0x0a { index += 1 }
    }

    private mutating func skipBlockComment() {
        var depth = 1
        index += 2
        while index < code.count, depth > 0 {
            if byte() == UInt8(ascii: "*"), byte(1) == UInt8(ascii: "/") {
                depth -= 1
                index += 2
            } else if language.nestsComments, byte() == UInt8(ascii: "/"), byte(1) == UInt8(ascii: "*") {
                depth += 1
                index += 2
            } else {
                index += 1
            }
        }
    }

    /// Whether `#if 0` or `#if false` stands there.
    private var isExcluded: Bool {
        guard hasPrefix("#if ") else { return false }
        for (text, length) in [("#if 0", 5), ("#if false", 9)] where hasPrefix(text) {
            return byte(length) <= 0x20
        }
        return false
    }

    /// Skips the code up to `#else`, `#elseif`, `#elif` or `#endif`.
    private mutating func skipExcluded() {
        var depth = 0
        while index < code.count {
            skipLine()
            while index < code.count, code[index] <= 0x20 { index += 1 }
            if hasPrefix("#if") { depth += 1 }
            if hasPrefix("#endif") {
                guard depth > 0 else { break }
                depth -= 1
            } else if hasPrefix("#el"), depth == 0 {
                break
            }
        }
        skipLine()
    }

    /// Reads a name, over the dots within: `a.b` is one name, and `a.` is not.
    private mutating func word() -> String {
        let start = index
        while index < code.count {
            let isDot = code[index] == UInt8(ascii: ".")
            guard Self.isWord(code[index]) || (isDot && Self.isWord(byte(1))) else { break }
            index += 1
        }
        return String(decoding: code[start..<index], as: UTF8.self)
    }

    /// Reads a name between quotes: backticks, with which Swift and Kotlin write keywords, or those of an atom.
    private mutating func quotedName() -> String? {
        let quote = byte()
        guard let end = code[(index + 1)...].firstIndex(where: { $0 == quote || $0 == 0x0a }),
            code[end] != 0x0a
        else { return nil }
        let name = String(decoding: code[(index + 1)..<end], as: UTF8.self)
        index = end + 1
        return name
    }

    /// Whether a byte is a part of names and numbers.
    package static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
            true
        default: false
        }
    }

    /// Skips a regular expression of JavaScript; false if the slash divides.
    private mutating func skipPattern() -> Bool {
        guard patience > 0 else { return false }
        if let last = tokens.last {
            if last.isLiteral || last.isMark(of: ")]}") { return false }
            if let name = last.name, !["return", "typeof", "case", "in", "of"].contains(name) {
                return false
            }
        }
        var place = index + 1
        var isClass = false
        while place < code.count, code[place] != 0x0a {
            switch code[place] {
            case UInt8(ascii: "\\"): place += 1
            case UInt8(ascii: "["): isClass = true
            case UInt8(ascii: "]"): isClass = false
            case UInt8(ascii: "/") where !isClass:
                index = place + 1
                while Self.isWord(byte()) { index += 1 }
                return true
            default: break
            }
            place += 1
        }
        patience -= place - index
        return false
    }
}

/// A token of JavaScript, as far as imports need it.
enum ScriptToken: Equatable {
    /// An identifier, a keyword or a number.
    case word(String)
    /// The content of a literal in quotation marks, without unescaping.
    case text(String)
    /// A template literal or a regular expression.
    case other
    /// Any other character.
    case sign(Character)

    /// Splits a module into tokens, without comments and white space.
    ///
    /// - Parameter source: The text of a module. Code inside of templates counts as code.
    /// - Returns: The tokens in their order.
    static func tokens(of source: String) -> [ScriptToken] {
        var reader = ScriptReader(source)
        return reader.tokens()
    }
}

/// Reads the tokens of a module.
private struct ScriptReader {
    private let characters: [Character]
    private var place = 0
    private var found: [ScriptToken] = []
    /// The open braces inside of each `${…}` that is read.
    private var braces: [Int] = []

    init(_ source: String) { characters = Array(source) }

    mutating func tokens() -> [ScriptToken] {
        while let character = peek() {
            switch character {
            case _ where character.isWhitespace: place += 1
            case "/" where peek(1) == "/": skip { $0.isNewline }
            case "/" where peek(1) == "*": skipComment()
            case "/" where beginsExpression: skipPattern()
            case "\"", "'": found.append(.text(quoted(character)))
            case "`":
                place += 1
                skipTemplate()
            case "}" where braces.last == 0:
                braces.removeLast()
                place += 1
                skipTemplate()
            case _ where Self.isWord(character): found.append(.word(word()))
            default:
                if let last = braces.indices.last {
                    braces[last] += character == "{" ? 1 : character == "}" ? -1 : 0
                }
                found.append(.sign(character))
                place += 1
            }
        }
        return found
    }

    /// Whether a slash begins a regular expression here, because no value stands before it.
    private var beginsExpression: Bool {
        switch found.last {
        case nil: true
        case .word(let word): ["return", "typeof", "case", "of", "in", "await", "yield"].contains(word)
        case .sign(let sign): !")]}".contains(sign)
        case .text, .other: false
        }
    }

    private func peek(_ distance: Int = 0) -> Character? {
        place + distance < characters.count ? characters[place + distance] : nil
    }

    private static func isWord(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_" || character == "$"
    }

    private mutating func skip(to isEnd: (Character) -> Bool) {
        while let character = peek(), !isEnd(character) { place += 1 }
    }

    private mutating func skipComment() {
        place += 2
        while let character = peek(), !(character == "*" && peek(1) == "/") { place += 1 }
        place += 2
    }

    private mutating func word() -> String {
        let start = place
        skip { !Self.isWord($0) }
        return String(characters[start..<place])
    }

    private mutating func quoted(_ mark: Character) -> String {
        place += 1
        let start = place
        while let character = peek(), character != mark { place += character == "\\" ? 2 : 1 }
        let end = min(place, characters.count)
        place += 1
        return String(characters[start..<end])
    }

    /// Skips a regular expression; a slash in brackets does not end it.
    private mutating func skipPattern() {
        place += 1
        var isInBrackets = false
        while let character = peek(), !character.isNewline, isInBrackets || character != "/" {
            if character == "[" { isInBrackets = true }
            if character == "]" { isInBrackets = false }
            place += character == "\\" ? 2 : 1
        }
        place += 1
        found.append(.other)
    }

    /// Skips the text of a template, up to its end or to code in it.
    private mutating func skipTemplate() {
        while let character = peek() {
            if character == "$", peek(1) == "{" {
                place += 2
                braces.append(0)
                found.append(.sign("{"))
                return
            }
            place += character == "\\" ? 2 : 1
            if character == "`" { break }
        }
        found.append(.other)
    }
}

import PinholeModel

/// Parses a regular expression in Python's notation.
///
/// The parser refuses constructs that cannot be searched for in linear time (back references, lookahead, lookbehind).
/// Except for lazy counts, constructs that depend on the choice between several matches are refused, too.
struct PatternParser {
    private let scalars: [Unicode.Scalar]
    private var position = 0
    private var depth = 0
    private var isMultiline = false
    private var isCaseSensitive = false
    private let remembersGroups: Bool
    /// The number of remembered groups so far.
    private(set) var groupCount = 0
    /// The numbers of the groups that have a name.
    private(set) var groupNames: [String: Int] = [:]

    /// The deepest nesting of groups; the parser is recursive.
    static let depthLimit = 50
    /// The largest count; the program contains a copy of the repeated part for each repetition.
    static let repetitionLimit = 1000

    /// Prepares to parse.
    ///
    /// - Parameters:
    ///   - text: The expression.
    ///   - remembersGroups: Whether groups are part of the result.
    init(_ text: String, remembersGroups: Bool = false) {
        scalars = Array(text.unicodeScalars)
        self.remembersGroups = remembersGroups
    }

    /// Parses the whole text.
    mutating func parse() throws(PatternFailure) -> PatternNode {
        try flags()
        let node = try choice()
        guard position == scalars.count else {
            throw failure("a “(” before this “)”", "“)”", remedy: #"write \) for the character"#)
        }
        return node
    }

    private var peek: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    private func follows(_ text: String) -> Bool { scalars[position...].starts(with: text.unicodeScalars) }

    private mutating func take(_ text: String) -> Bool {
        guard follows(text) else { return false }
        position += text.unicodeScalars.count
        return true
    }

    private func failure(
        _ expected: String,
        _ found: String? = nil,
        at offset: Int? = nil,
        remedy: String? = nil
    ) -> PatternFailure {
        let found = found ?? peek.map { "“\($0)”" } ?? "the end of the expression"
        return PatternFailure(offset: offset ?? position, expected: expected, found: found, remedy: remedy)
    }

    /// Parses flags such as `(?i)` at the beginning; by default letters match in any case, and a dot matches any byte.
    private mutating func flags() throws(PatternFailure) {
        while take("(?") {
            guard let first = peek, first.properties.isAlphabetic || first == "-", first != "P" else {
                position -= 2
                return
            }
            let start = position
            var isOff = false
            while let flag = peek, flag != ")" {
                switch flag {
                case "-": isOff = true
                case "i": isCaseSensitive = isOff
                case "m": isMultiline = !isOff
                case "s", "a", "u": break
                default: throw failure("the flags i, m or s", at: start)
                }
                position += 1
            }
            guard take(")") else { throw failure("“)”") }
        }
    }

    private mutating func choice() throws(PatternFailure) -> PatternNode {
        var branches = [try sequence()]
        while take("|") { branches.append(try sequence()) }
        return branches.count == 1 ? branches[0] : .choice(branches)
    }

    private mutating func sequence() throws(PatternFailure) -> PatternNode {
        var parts: [PatternNode] = []
        while let next = peek, next != "|", next != ")" {
            parts.append(try repetition())
        }
        return parts.count == 1 ? parts[0] : parts.isEmpty ? .empty : .sequence(parts)
    }

    private mutating func repetition() throws(PatternFailure) -> PatternNode {
        let node = try atom()
        guard let (least, most) = try counts() else { return node }
        let isLazy = take("?")
        if !isLazy, peek == "+" {
            throw failure("one count", "a possessive one", remedy: "leave the second “+” away")
        }
        let start = position
        guard try counts() == nil else {
            throw failure("one count", "two in a row", at: start, remedy: "put a group around the first")
        }
        // Whether there is a match does not depend on laziness.
        return .repeated(node, least: least, most: most, isLazy: isLazy && remembersGroups)
    }

    private mutating func counts() throws(PatternFailure) -> (least: Int, most: Int?)? {
        if take("*") { return (0, nil) }
        if take("+") { return (1, nil) }
        if take("?") { return (0, 1) }
        guard peek == "{" else { return nil }
        let start = position
        position += 1
        let least = number()
        var most = least
        if take(",") { most = number() }
        let hasComma = scalars[start..<position].contains(",")
        // As in Python, a brace that begins no count is an ordinary character.
        guard take("}"), least != nil || (hasComma && most != nil) else {
            position = start
            return nil
        }
        guard max(least ?? 0, most ?? 0) <= Self.repetitionLimit else {
            throw failure("at most \(Self.repetitionLimit) times", "more", at: start)
        }
        if let most, most < least ?? 0 { throw failure("the lower number first", "the higher", at: start) }
        return (least ?? 0, most)
    }

    private mutating func number() -> Int? {
        var value: Int?
        while let digit = peek, ("0"..."9").contains(digit) {
            value = min((value ?? 0) * 10 + Int(digit.value - 0x30), Self.repetitionLimit + 1)
            position += 1
        }
        return value
    }

    private mutating func atom() throws(PatternFailure) -> PatternNode {
        guard let scalar = peek else { return .empty }
        switch scalar {
        case "(": return try group()
        case "[": return try set()
        case "\\": return try escape()
        case "*", "+", "?":
            let hint = scalar == "*" ? "write “.*” for any run of characters, or a glob: host ~ *.test" : nil
            throw failure(
                "something to repeat before it",
                remedy: hint ?? #"write \\#(scalar) for the character"#
            )
        default: break
        }
        let start = position
        let isCount = scalar == "{" ? try counts() != nil : false
        if isCount { throw failure("something to repeat before it", "a count", at: start) }
        position += 1
        switch scalar {
        case ".": return Self.anyCharacter
        case "^": return .assertion(isMultiline ? .lineStart : .textStart)
        case "$": return .assertion(isMultiline ? .lineEnd : .finalLineEnd)
        default: return literal(scalar)
        }
    }

    private mutating func group() throws(PatternFailure) -> PatternNode {
        let start = position
        position += 1
        var isRemembered = remembersGroups
        var name = ""
        if take("?") {
            if take("P<") || (follows("<") && !follows("<=") && !follows("<!") && take("<")) {
                while let letter = peek, letter != ">", letter != ")" {
                    position += 1
                    name.unicodeScalars.append(letter)
                }
                guard take(">") else { throw failure("“>” after the name of the group") }
            } else if take(":") {
                isRemembered = false
            } else {
                throw failure(
                    "a group “(…)” or “(?:…)”",
                    "“(?\(peek.map(String.init) ?? "")”",
                    at: start,
                    remedy:
                        "combine two filters with & and !, since looking ahead or behind and back references "
                        + "have no bound in time"
                )
            }
        }
        depth += 1
        guard depth <= Self.depthLimit else {
            throw failure("at most \(Self.depthLimit) groups in one another", "more", at: start)
        }
        var number = 0
        if isRemembered {
            groupCount += 1
            number = groupCount
            if !name.isEmpty { groupNames[name] = number }
        }
        let node = try choice()
        depth -= 1
        guard take(")") else { throw failure("“)” for the “(” before it", at: start) }
        return isRemembered ? .group(node, number: number) : node
    }

    private mutating func escape() throws(PatternFailure) -> PatternNode {
        let start = position
        position += 1
        guard let scalar = peek else {
            throw failure(
                "a character after the backslash",
                at: start,
                remedy: #"write \\ for the character"#
            )
        }
        switch scalar {
        case "b":
            position += 1
            return .assertion(.wordBoundary)
        case "B":
            position += 1
            return .assertion(.insideWord)
        case "A":
            position += 1
            return .assertion(.textStart)
        case "Z", "z":
            position += 1
            return .assertion(.textEnd)
        case "1"..."9":
            throw failure(
                "no back reference",
                "“\\\(scalar)”",
                at: start,
                remedy: "write out what is repeated, since a back reference has no bound in time"
            )
        default: break
        }
        if let set = shorthand() { return .byte(set) }
        return literal(try escaped(from: start))
    }

    /// The meaning of an escape or a letter: a character, searched for as UTF-8, or a single byte.
    private enum Member {
        case character(Unicode.Scalar)
        case byte(UInt8)

        /// The byte; `nil` for a character of several bytes.
        var single: UInt8? {
            switch self {
            case .character(let scalar): scalar.isASCII ? UInt8(scalar.value) : nil
            case .byte(let byte): byte
            }
        }
    }

    /// Parses `\d`, `\w`, `\s` or the complement of one of them; `nil`, with nothing read, for any other letter.
    private mutating func shorthand() -> ByteSet? {
        let set: ByteSet
        switch peek {
        case "d": set = .digits
        case "D": set = ByteSet.digits.inverted
        case "w": set = .word
        case "W": set = ByteSet.word.inverted
        case "s": set = .space
        case "S": set = ByteSet.space.inverted
        default: return nil
        }
        position += 1
        return set
    }

    /// Parses the rest of an escape, after the backslash.
    private mutating func escaped(from start: Int) throws(PatternFailure) -> Member {
        guard let scalar = peek else { throw failure("a character after the backslash", at: start) }
        position += 1
        switch scalar {
        case "n": return .character("\n")
        case "r": return .character("\r")
        case "t": return .character("\t")
        case "f": return .character("\u{c}")
        case "v": return .character("\u{b}")
        case "a": return .character("\u{7}")
        case "0": return .character("\0")
        // In Python's patterns for bytes, `\x` is a byte.
        case "x": return .byte(UInt8(truncatingIfNeeded: try hexadecimal(2, from: start).value))
        case "u": return .character(try hexadecimal(4, from: start))
        default: break
        }
        guard !scalar.properties.isAlphabetic || !scalar.isASCII else {
            throw failure("a known escape", "“\\\(scalar)”", at: start, remedy: #"write \\ for a backslash"#)
        }
        return .character(scalar)
    }

    private mutating func hexadecimal(_ count: Int, from start: Int) throws(PatternFailure) -> Unicode.Scalar
    {
        let digits = scalars[position...].prefix(count)
        let text = String(String.UnicodeScalarView(digits))
        guard digits.count == count, text.utf8.allSatisfy({ $0 != 0x2b && $0 != 0x2d }),
            let value = UInt32(text, radix: 16), let scalar = Unicode.Scalar(value)
        else { throw failure("\(count) hexadecimal digits", at: start) }
        position += count
        return scalar
    }

    private func literal(_ scalar: Unicode.Scalar) -> PatternNode {
        let bytes = String(scalar).utf8.map(literal)
        return bytes.count == 1 ? bytes[0] : .sequence(bytes)
    }

    private func literal(_ byte: UInt8) -> PatternNode {
        let set = ByteSet(byte...byte)
        return .byte(isCaseSensitive ? set : set.ignoringCase)
    }

    private func literal(_ member: Member) -> PatternNode {
        switch member {
        case .character(let scalar): literal(scalar)
        case .byte(let byte): literal(byte)
        }
    }

    private mutating func set() throws(PatternFailure) -> PatternNode {
        let start = position
        position += 1
        let isNegated = take("^")
        var bytes = ByteSet()
        var wide: [PatternNode] = []
        var isFirst = true
        while let scalar = peek, scalar != "]" || isFirst {
            isFirst = false
            let memberStart = position
            guard let low = try member(&bytes) else { continue }
            guard peek == "-", position + 1 < scalars.count, scalars[position + 1] != "]" else {
                if let byte = low.single {
                    bytes.insert(byte...byte)
                } else {
                    wide.append(literal(low))
                }
                continue
            }
            position += 1
            try range(from: low, at: memberStart, into: &bytes)
        }
        guard take("]") else { throw failure("“]” for the “[” before it", at: start) }
        if !isCaseSensitive { bytes = bytes.ignoringCase }
        guard isNegated else {
            return wide.isEmpty ? .byte(bytes) : .choice([.byte(bytes)] + wide)
        }
        guard wide.isEmpty else {
            throw failure("ASCII characters after “[^”", "others", at: start)
        }
        // A negated set with bytes beyond ASCII is about bytes, not characters.
        guard bytes.isASCII else { return .byte(bytes.inverted) }
        bytes.insert(0x80...0xff)
        return .choice([.byte(bytes.inverted), Self.wideCharacter])
    }

    /// Parses the rest of a range, beginning with its upper end, and adds the range to `bytes`.
    private mutating func range(
        from low: Member,
        at start: Int,
        into bytes: inout ByteSet
    ) throws(PatternFailure) {
        var ignored = ByteSet()
        guard let high = try member(&ignored) else {
            throw failure("a range from the lower to the higher character", "another", at: start)
        }
        guard let lowest = low.single, let highest = high.single else {
            throw failure(
                "a range of ASCII characters",
                "others",
                at: start,
                remedy: #"write bytes as \x80-\xff"#
            )
        }
        guard lowest <= highest else {
            throw failure("a range from the lower to the higher character", "another", at: start)
        }
        bytes.insert(lowest...highest)
    }

    /// Parses one member of a set; `nil` for a shorthand such as `\d`, whose bytes are added to `bytes`.
    private mutating func member(_ bytes: inout ByteSet) throws(PatternFailure) -> Member? {
        guard let scalar = peek else { throw failure("“]”") }
        guard scalar == "\\" else {
            position += 1
            return .character(scalar)
        }
        let start = position
        position += 1
        if let set = shorthand() {
            bytes.formUnion(set)
            return nil
        }
        if take("b") { return .character("\u{8}") }
        return try escaped(from: start)
    }

    /// A character of UTF-8, or a byte that is part of none.
    private static let anyCharacter = PatternNode.choice([
        .byte(ByteSet(0x00...0x7f)), wideCharacter,
    ])

    private static let wideCharacter = PatternNode.sequence([
        .byte(ByteSet(0x80...0xff)), .repeated(.byte(ByteSet(0x80...0xbf)), least: 0, most: 3),
    ])
}

/// Reads a JSON text (RFC 8259).
struct JSONReader {
    /// The deepest nesting of a text; documents are shallow, and the reader is recursive.
    private static let depthLimit = 64
    private let text: [UInt8]
    private var position = 0
    private var depth = 0
    private let quotedName: String?
    /// The names of members whose caller reads the literal, so that a number may have any size.
    private let literalNames: Set<String>
    /// The place of the quoted member's value in the outermost object; `nil` until that value has been read.
    private(set) var quoted: Range<Int>?

    /// Creates a reader of a text in UTF-8; a byte order mark in front is skipped.
    init(_ text: [UInt8], quoting name: String? = nil, literals: Set<String> = []) {
        self.text = text
        quotedName = name
        literalNames = literals.union(name.map { [$0] } ?? [])
        if text.starts(with: [0xef, 0xbb, 0xbf]) { position = 3 }
    }

    /// Reads the whole text as one value.
    mutating func read() throws(DocumentFailure) -> JSONValue {
        let result = try value()
        skipSpace()
        guard peek == nil else { throw failure("the end") }
        return result
    }

    private var peek: UInt8? { position < text.count ? text[position] : nil }

    private mutating func value() throws(DocumentFailure) -> JSONValue {
        skipSpace()
        switch peek {
        case 0x7b: return try nested { (reader) throws(DocumentFailure) in try reader.object() }
        case 0x5b: return try nested { (reader) throws(DocumentFailure) in try reader.array() }
        case 0x22: return .string(try string())
        case 0x74: return try word("true", .boolean(true))
        case 0x66: return try word("false", .boolean(false))
        case 0x6e: return try word("null", .null)
        case .some(0x2d), .some(0x30...0x39): return try number()
        default: throw failure("a value")
        }
    }

    private mutating func nested(
        _ read: (inout JSONReader) throws(DocumentFailure) -> JSONValue
    ) throws(DocumentFailure) -> JSONValue {
        depth += 1
        guard depth <= Self.depthLimit else { throw failure("at most \(Self.depthLimit) levels") }
        position += 1
        let result = try read(&self)
        depth -= 1
        return result
    }

    private mutating func object() throws(DocumentFailure) -> JSONValue {
        var members: [String: JSONValue] = [:]
        skipSpace()
        if take(0x7d) { return .object(members) }
        while true {
            skipSpace()
            guard peek == 0x22 else { throw failure("a name in quotes") }
            let start = position
            let name = try string()
            skipSpace()
            guard take(0x3a) else { throw failure("“:”") }
            skipSpace()
            let valueStart = position
            let member = try literalNames.contains(name) ? literalValue() : value()
            let valueEnd = position
            guard members.updateValue(member, forKey: name) == nil else {
                if depth == 1, name == quotedName { quoted = nil }
                position = start
                throw failure("each name once", found: "\(TerminalText.quoted(name)) again")
            }
            skipSpace()
            // Only here is it certain that the value is complete.
            if depth == 1, name == quotedName, peek == 0x7d || peek == 0x2c { quoted = valueStart..<valueEnd }
            if take(0x7d) { return .object(members) }
            guard take(0x2c) else { throw failure("“,” or “}”") }
        }
    }

    /// Reads the value of a member of which the caller reads the literal, so a number may have any size.
    private mutating func literalValue() throws(DocumentFailure) -> JSONValue {
        switch peek {
        case .some(0x2d), .some(0x30...0x39): try number(ofAnySize: true)
        default: try value()
        }
    }

    private mutating func array() throws(DocumentFailure) -> JSONValue {
        var elements: [JSONValue] = []
        skipSpace()
        if take(0x5d) { return .array(elements) }
        while true {
            elements.append(try value())
            skipSpace()
            if take(0x5d) { return .array(elements) }
            guard take(0x2c) else { throw failure("“,” or “]”") }
        }
    }

    private mutating func word(
        _ word: StaticString,
        _ value: JSONValue
    ) throws(DocumentFailure) -> JSONValue {
        let expected = Array("\(word)".utf8)
        guard text[position...].starts(with: expected) else { throw failure("a value") }
        position += expected.count
        return value
    }

    private mutating func number(ofAnySize isAnySize: Bool = false) throws(DocumentFailure) -> JSONValue {
        let start = position
        var isWhole = true
        _ = take(0x2d)
        if !take(0x30) { try digits() }
        if take(0x2e) {
            isWhole = false
            try digits()
        }
        if take(0x65) || take(0x45) {
            isWhole = false
            if !take(0x2b) { _ = take(0x2d) }
            try digits()
        }
        let literal = String(decoding: text[start..<position], as: UTF8.self)
        if isWhole, let integer = Int64(literal) { return .integer(integer) }
        if let number = Double(literal), number.isFinite { return .number(number) }
        guard isAnySize else { throw failure("a number that fits", found: literal) }
        return .number(.greatestFiniteMagnitude)
    }

    private mutating func digits() throws(DocumentFailure) {
        let start = position
        while let byte = peek, (0x30...0x39).contains(byte) { position += 1 }
        guard position > start else { throw failure("a digit") }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { position += 1 }
    }

    /// Returns the failure at the current position.
    private func failure(_ expected: String, found: String? = nil) -> DocumentFailure {
        guard !text.allSatisfy({ $0 <= 0x20 }) else {
            return DocumentFailure(
                path: "",
                expected: "JSON (RFC 8259)",
                found: "nothing",
                remedy: "write {} for an object without members"
            )
        }
        let before = text[..<position]
        let line = before.count { $0 == 0x0a } + 1
        let column = before.reversed().prefix { $0 != 0x0a }.count + 1
        let next = String(decoding: text[position...].prefix(12).prefix { $0 > 0x20 }, as: UTF8.self)
        let here =
            found ?? (peek == nil ? "the end" : next.isEmpty ? "white space" : TerminalText.quoted(next))
        return DocumentFailure(
            path: "",
            expected: "JSON (RFC 8259: no comments, no trailing commas)",
            found: "\(here) in line \(line), column \(column), where \(expected) should be"
        )
    }
}

extension JSONReader {
    /// Reads a text from its opening quote on.
    private mutating func string() throws(DocumentFailure) -> String {
        position += 1
        let start = position
        while let byte = peek, byte != 0x22, byte != 0x5c, byte >= 0x20 { position += 1 }
        // Most texts contain no escape.
        if peek == 0x22 {
            let content = try decoded(text[start..<position])
            position += 1
            return content
        }
        var content = Array(text[start..<position])
        while let byte = peek {
            switch byte {
            case 0x22:
                let result = try decoded(content[...])
                position += 1
                return result
            case 0x5c:
                position += 1
                content += try escape().utf8
            case 0x20...:
                content.append(byte)
                position += 1
            default: throw failure("a text without control characters", found: "a control character")
            }
        }
        throw failure("a closing quote")
    }

    private func decoded(_ bytes: ArraySlice<UInt8>) throws(DocumentFailure) -> String {
        guard let content = String(validating: bytes, as: UTF8.self) else {
            throw failure("UTF-8", found: "other bytes")
        }
        return content
    }

    /// Reads an escape from its letter on.
    private mutating func escape() throws(DocumentFailure) -> String {
        switch JSONEscape(text[(position - 1)...].prefix(12)) {
        case .scalar(let scalar, let length)?:
            position += length - 1
            return String(scalar)
        case .half(let length)?:
            position += length - 1
            throw failure("a pair of surrogates", found: "half of one")
        case nil:
            guard peek != nil else { throw failure("an escape") }
            guard take(0x75) else { throw failure("an escape of RFC 8259 §7") }
            throw failure("four hexadecimal digits")
        }
    }
}

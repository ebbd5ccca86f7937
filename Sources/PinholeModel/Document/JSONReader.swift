/// Reads JSON (RFC 8259), as a whole or piece by piece, so that a list in a file need not be in memory as a whole.
package final class JSONReader {
    /// The mistakes of other programs that a reader accepts, and the bounds on a value that it reads as a whole.
    ///
    /// It accepts bytes that are not UTF-8, half of a surrogate pair, control characters in a text, a repeated name
    /// (the last one counts), and `NaN` and `Infinity`, which Python writes. Other texts that are not JSON are refused.
    package struct Tolerance: Sendable {
        let textBytes: Int
        let values: Int

        /// Creates a tolerance, whose bounds keep a hostile file from using more memory than an honest one.
        package init(textBytes: Int, values: Int) {
            self.textBytes = textBytes
            self.values = values
        }
    }

    /// The deepest nesting of a value; documents are shallow, a HAR has eight levels, and the reader is recursive.
    package static let depthLimit = 64
    private static let longestNumber = 64

    private let source: ByteSource
    /// The tolerance; `nil` for a text that must be JSON without mistakes.
    private let tolerance: Tolerance?
    private let quotedName: String?
    /// The names of members whose caller reads the literal, so that a number may have any size.
    private let literalNames: Set<String>
    /// The place of the quoted member's value in the outermost object; `nil` until that value has been read.
    private(set) var quoted: Range<Int>?
    /// For each open object or array, whether its first member or element is still to come.
    private var isFirst: [Bool] = []
    /// The offset of the last member's name.
    private var nameStart: Int64 = 0
    private var textBytes = 0
    private var values = 0
    private var depth = 0
    /// The number of numbers that do not fit; they count as null.
    package private(set) var unfit = 0
    /// The place of the first number that does not fit.
    package private(set) var firstUnfit: TextPlace?
    /// The number of texts that are not UTF-8; invalid bytes were replaced by U+FFFD.
    package private(set) var replacedTexts = 0
    /// The place at which the first such text ends.
    package private(set) var firstReplaced: TextPlace?

    /// Creates a reader; a byte order mark in front is skipped.
    package init(_ source: ByteSource, tolerance: Tolerance) {
        self.source = source
        self.tolerance = tolerance
        (quotedName, literalNames) = (nil, [])
        skipMark()
    }

    /// Creates a reader of a text that must be JSON; a byte order mark in front is skipped.
    init(_ text: [UInt8], quoting name: String? = nil, literals: Set<String> = []) {
        source = ByteSource(text)
        tolerance = nil
        quotedName = name
        literalNames = literals.union(name.map { [$0] } ?? [])
        skipMark()
    }

    private func skipMark() {
        if source.lookAhead(3).elementsEqual([0xef, 0xbb, 0xbf]) { source.advance(3) }
    }

    /// Reads the whole text as one value.
    func read() throws(SyntaxFault) -> JSONValue {
        let result = try value()
        guard peek() == nil else { throw fault("the end") }
        return result
    }

    /// Returns the first byte of the next value; `nil` at the end of the text.
    package func peek() -> UInt8? {
        while let byte = source.peek, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 {
            source.advance()
        }
        return source.peek
    }

    /// The place of the next byte.
    package var place: TextPlace { source.place }

    /// Begins the next object.
    package func beginObject() throws(SyntaxFault) {
        try expect(0x7b, "“{”")
        isFirst.append(true)
    }

    /// Returns the name of the next member, whose value must be read next; `nil` after the last member.
    package func nextMember() throws(SyntaxFault) -> String? {
        guard try hasNext(end: 0x7d) else { return nil }
        guard peek() == 0x22 else { throw fault("a name in quotes") }
        nameStart = source.offset
        let name = try string(keeping: true)
        try expect(0x3a, "“:”")
        return name
    }

    /// Begins the next array.
    package func beginArray() throws(SyntaxFault) {
        try expect(0x5b, "“[”")
        isFirst.append(true)
    }

    /// Returns whether there is another element, which must be read next.
    package func nextElement() throws(SyntaxFault) -> Bool { try hasNext(end: 0x5d) }

    /// Reads the next value as a whole.
    package func value() throws(SyntaxFault) -> JSONValue {
        (textBytes, values, depth) = (0, 0, 0)
        return try value(keeping: true)
    }

    /// Skips the next value.
    package func skip() throws(SyntaxFault) {
        (textBytes, values, depth) = (0, 0, 0)
        _ = try value(keeping: false)
    }

    /// Returns a fault at the current place.
    package func fault(_ expected: String, found: String? = nil) -> SyntaxFault {
        let next = String(decoding: source.lookAhead(12).prefix { $0 > 0x20 }, as: UTF8.self)
        let end = tolerance == nil ? "the end" : "the end of the file"
        let nextFound = next.isEmpty ? "white space or a control character" : TerminalText.quoted(next)
        let found = found ?? (source.peek == nil ? end : nextFound)
        return SyntaxFault(offset: source.offset, place: place, expected: expected, found: found)
    }

    private func hasNext(end: UInt8) throws(SyntaxFault) -> Bool {
        let wasFirst = isFirst.popLast() ?? true
        if peek() == end {
            source.advance()
            return false
        }
        if !wasFirst { try expect(0x2c, end == 0x7d ? "“,” or “}”" : "“,” or “]”") }
        isFirst.append(false)
        return true
    }

    private func value(keeping: Bool, ofAnySize isAnySize: Bool = false) throws(SyntaxFault) -> JSONValue {
        values += 1
        if keeping, let tolerance, values > tolerance.values {
            throw fault("at most \(tolerance.values) values in one exchange")
        }
        switch peek() {
        case 0x7b: return try nested { () throws(SyntaxFault) in try object(keeping) }
        case 0x5b: return try nested { () throws(SyntaxFault) in try array(keeping) }
        case 0x22: return .string(try string(keeping: keeping))
        case 0x74: return try word("true", .boolean(true))
        case 0x66: return try word("false", .boolean(false))
        case 0x6e: return try word("null", .null)
        case 0x4e where tolerance != nil: return try unfit("NaN")
        case 0x49 where tolerance != nil: return try unfit("Infinity")
        case 0x2d where tolerance != nil && source.lookAhead(2).elementsEqual("-I".utf8):
            return try unfit("-Infinity")
        case .some(0x2d), .some(0x30...0x39): return try number(ofAnySize: isAnySize)
        default: throw fault("a value")
        }
    }

    private func nested(_ read: () throws(SyntaxFault) -> JSONValue) throws(SyntaxFault) -> JSONValue {
        depth += 1
        guard depth <= Self.depthLimit else { throw fault("at most \(Self.depthLimit) levels") }
        defer { depth -= 1 }
        return try read()
    }

    private func object(_ keeping: Bool) throws(SyntaxFault) -> JSONValue {
        var members: [String: JSONValue] = [:]
        try beginObject()
        while let name = try nextMember() {
            let nameStart = nameStart
            _ = peek()
            let valueStart = Int(source.offset)
            let member = try value(keeping: keeping, ofAnySize: literalNames.contains(name))
            let valueEnd = Int(source.offset)
            guard keeping else { continue }
            let isQuoted = depth == 1 && name == quotedName
            if members.updateValue(member, forKey: name) != nil, tolerance == nil {
                if isQuoted { quoted = nil }
                let found = "\(TerminalText.quoted(name)) again"
                throw SyntaxFault(offset: nameStart, expected: "each name once", found: found)
            }
            // Only here is it certain that the value is complete.
            if isQuoted, peek() == 0x7d || peek() == 0x2c { quoted = valueStart..<valueEnd }
        }
        return .object(members)
    }

    private func array(_ keeping: Bool) throws(SyntaxFault) -> JSONValue {
        try beginArray()
        var elements: [JSONValue] = []
        while try nextElement() {
            let element = try value(keeping: keeping)
            if keeping { elements.append(element) }
        }
        return .array(elements)
    }

    private func word(_ word: String, _ value: JSONValue) throws(SyntaxFault) -> JSONValue {
        guard source.lookAhead(word.utf8.count).elementsEqual(word.utf8) else { throw fault("a value") }
        source.advance(word.utf8.count)
        return value
    }

    private func expect(_ byte: UInt8, _ expected: String) throws(SyntaxFault) {
        guard peek() == byte else { throw fault(expected) }
        source.advance()
    }
}

// The numbers and texts of JSON.
extension JSONReader {
    private func number(ofAnySize isAnySize: Bool) throws(SyntaxFault) -> JSONValue {
        if let integer = shortInteger() { return .integer(integer) }
        let start = source.offset
        var literal: [UInt8] = []
        var isWhole = true
        _ = take(0x2d, &literal)
        if !take(0x30, &literal) { try digits(&literal) }
        if take(0x2e, &literal) {
            isWhole = false
            try digits(&literal)
        }
        if take(0x65, &literal) || take(0x45, &literal) {
            isWhole = false
            if !take(0x2b, &literal) { _ = take(0x2d, &literal) }
            try digits(&literal)
        }
        let text = String(decoding: literal, as: UTF8.self)
        if isWhole, let integer = Int64(text) { return .integer(integer) }
        let fits = tolerance == nil || literal.count <= Self.longestNumber
        if fits, let number = Double(text), number.isFinite { return .number(number) }
        guard tolerance == nil else { return noteUnfit(at: start) }
        guard isAnySize else { throw fault("a number that fits", found: text) }
        return .number(.greatestFiniteMagnitude)
    }

    /// Takes a whole number of at most 18 digits, which needs no copy; `nil` for any other value, which is not taken.
    private func shortInteger() -> Int64? {
        var integer: Int64 = 0
        let ahead = source.lookAhead(19)
        for (count, byte) in ahead.enumerated() {
            guard (0x30...0x39).contains(byte) else {
                let isWhole = count == 1 || count > 1 && ahead.first != 0x30
                guard isWhole, byte != 0x2e, byte | 0x20 != 0x65 else { return nil }
                source.advance(count)
                return integer
            }
            guard count < 18 else { return nil }
            integer = integer * 10 + Int64(byte - 0x30)
        }
        return nil
    }

    private func take(_ byte: UInt8, _ literal: inout [UInt8]) -> Bool {
        guard source.peek == byte else { return false }
        append(byte, &literal)
        return true
    }

    /// Takes a byte of a number; of a number in a file that is too long to be one, only the start is kept.
    private func append(_ byte: UInt8, _ literal: inout [UInt8]) {
        if tolerance == nil || literal.count <= Self.longestNumber { literal.append(byte) }
        source.advance()
    }

    private func digits(_ literal: inout [UInt8]) throws(SyntaxFault) {
        guard let first = source.peek, (0x30...0x39).contains(first) else { throw fault("a digit") }
        while let byte = source.peek, (0x30...0x39).contains(byte) { append(byte, &literal) }
    }

    /// Reads a number that JSON cannot express, such as `NaN`, as null.
    private func unfit(_ word: String) throws(SyntaxFault) -> JSONValue {
        let start = source.offset
        _ = try self.word(word, .null)
        return noteUnfit(at: start)
    }

    private func noteUnfit(at start: Int64) -> JSONValue {
        unfit += 1
        if firstUnfit == nil {
            let end = place
            firstUnfit = TextPlace(line: end.line, column: end.column - (source.offset - start))
        }
        return .null
    }

    private func string(keeping: Bool) throws(SyntaxFault) -> String {
        source.advance()
        let isTolerant = tolerance != nil
        let isPlain = { (byte: UInt8) in byte != 0x22 && byte != 0x5c && (byte >= 0x20 || isTolerant) }
        // Most texts have no escapes, and are read without a copy of their bytes.
        if let text = source.takeText(before: 0x22, while: isPlain) {
            if keeping { try countText(text.utf8.count) }
            return text
        }
        var bytes: [UInt8] = []
        while let byte = source.peek {
            let count = bytes.count
            switch byte {
            case 0x22:
                let text = String(validating: bytes, as: UTF8.self)
                guard text != nil || isTolerant else { throw fault("UTF-8", found: "other bytes") }
                source.advance()
                if let text { return text }
                replacedTexts += 1
                firstReplaced = firstReplaced ?? place
                return String(decoding: bytes, as: UTF8.self)
            case 0x5c: bytes.append(contentsOf: String(try escape()).utf8)
            case ..<0x20 where !isTolerant:
                throw fault("a text without control characters", found: "a control character")
            default: source.take(while: isPlain, to: &bytes)
            }
            if keeping { try countText(bytes.count - count) } else { bytes.removeAll(keepingCapacity: true) }
        }
        throw fault("a closing quote")
    }

    private func countText(_ count: Int) throws(SyntaxFault) {
        textBytes += count
        guard let tolerance, textBytes > tolerance.textBytes else { return }
        throw fault("at most \(tolerance.textBytes >> 20) MiB of text in one exchange")
    }

    /// Reads an escape from its backslash on.
    private func escape() throws(SyntaxFault) -> Unicode.Scalar {
        switch JSONEscape(source.lookAhead(12)) {
        case .scalar(let scalar, let length)?:
            source.advance(length)
            return scalar
        case .half(let length)?:
            source.advance(length)
            guard tolerance != nil else { throw fault("a pair of surrogates", found: "half of one") }
            return "\u{fffd}"
        case nil:
            source.advance()
            guard let letter = source.peek else { throw fault("an escape") }
            guard letter == 0x75 else { throw fault("an escape of RFC 8259 §7") }
            source.advance()
            throw fault("four hexadecimal digits")
        }
    }
}

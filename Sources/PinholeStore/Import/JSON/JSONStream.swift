import PinholeModel

/// Reads JSON (RFC 8259) piece by piece, so that a list in the file need not be in memory as a whole.
///
/// The reader accepts mistakes of other programs: a byte order mark, bytes that are not UTF-8, half of a surrogate
/// pair, control characters in a text, a duplicate name (the last one counts), and `NaN` and `Infinity`, which Python
/// writes. Other texts that are not JSON are refused.
///
/// A value that is read as a whole is bounded in bytes, in values and in depth, so a hostile file cannot use more
/// memory than an honest one.
final class JSONStream {
    private let source: ByteSource
    private let limits: ImportLimits
    /// For each open object or array, whether its first member or element is still to come.
    private var isFirst: [Bool] = []
    private var textBytes = 0
    private var values = 0
    private var depth = 0
    /// The number of numbers that do not fit; they count as null.
    private(set) var unfit = 0
    /// The place of the first number that does not fit.
    private(set) var firstUnfit: TextPlace?
    /// The number of texts that are not UTF-8; invalid bytes were replaced by U+FFFD.
    private(set) var replacedTexts = 0
    /// The place at which the first such text ends.
    private(set) var firstReplaced: TextPlace?

    init(_ source: ByteSource, limits: ImportLimits) {
        self.source = source
        self.limits = limits
        if source.lookAhead(3).elementsEqual([0xef, 0xbb, 0xbf]) { _ = source.take(3) }
    }

    /// Returns the first byte of the next value; `nil` at the end of the file.
    func peek() -> UInt8? {
        skipSpace()
        return source.peek
    }

    /// The place of the next byte.
    var place: TextPlace { source.place }

    /// Begins the next object.
    func beginObject() throws(ImportFault) {
        try expect(0x7b, "“{”")
        isFirst.append(true)
    }

    /// Returns the name of the next member, whose value must be read next; `nil` after the last member.
    func nextMember() throws(ImportFault) -> String? {
        guard try hasNext(end: 0x7d) else { return nil }
        guard peek() == 0x22 else { throw fault("a name in quotes") }
        let name = try string(keeping: true)
        try expect(0x3a, "“:”")
        return name
    }

    /// Begins the next array.
    func beginArray() throws(ImportFault) {
        try expect(0x5b, "“[”")
        isFirst.append(true)
    }

    /// Returns whether there is another element, which must be read next.
    func nextElement() throws(ImportFault) -> Bool { try hasNext(end: 0x5d) }

    /// Reads the next value as a whole.
    func value() throws(ImportFault) -> JSONValue {
        (textBytes, values, depth) = (0, 0, 0)
        return try value(keeping: true)
    }

    /// Skips the next value.
    func skip() throws(ImportFault) {
        (textBytes, values, depth) = (0, 0, 0)
        _ = try value(keeping: false)
    }

    /// Returns a fault at the current place.
    func fault(_ expected: String) -> ImportFault {
        let place = source.place
        let offset = source.offset
        let next = String(decoding: source.lookAhead(12).prefix { $0 > 0x20 && $0 < 0x7f }, as: UTF8.self)
        let found = source.peek == nil ? "the end of the file" : next.isEmpty ? "another byte" : "“\(next)”"
        return ImportFault(offset: offset, place: place, expected: expected, found: found)
    }

    private func hasNext(end: UInt8) throws(ImportFault) -> Bool {
        let wasFirst = isFirst.popLast() ?? true
        if peek() == end {
            source.advance()
            return false
        }
        if !wasFirst { try expect(0x2c, end == 0x7d ? "“,” or “}”" : "“,” or “]”") }
        isFirst.append(false)
        return true
    }

    private func value(keeping: Bool) throws(ImportFault) -> JSONValue {
        values += 1
        if keeping, values > limits.values {
            throw fault("at most \(limits.values) values in one exchange")
        }
        switch peek() {
        case 0x7b: return try nested { () throws(ImportFault) in try object(keeping) }
        case 0x5b: return try nested { () throws(ImportFault) in try array(keeping) }
        case 0x22: return .string(try string(keeping: keeping))
        case 0x74: return try word("true", .boolean(true))
        case 0x66: return try word("false", .boolean(false))
        case 0x6e: return try word("null", .null)
        case 0x4e: return try unfit("NaN")
        case 0x49: return try unfit("Infinity")
        case 0x2d where source.lookAhead(2).elementsEqual("-I".utf8): return try unfit("-Infinity")
        case .some(0x2d), .some(0x30...0x39): return try number()
        default: throw fault("a value")
        }
    }

    private func nested(_ read: () throws(ImportFault) -> JSONValue) throws(ImportFault) -> JSONValue {
        depth += 1
        guard depth <= limits.depth else { throw fault("at most \(limits.depth) levels") }
        defer { depth -= 1 }
        return try read()
    }

    private func object(_ keeping: Bool) throws(ImportFault) -> JSONValue {
        try beginObject()
        var members: [String: JSONValue] = [:]
        while let name = try nextMember() {
            let member = try value(keeping: keeping)
            if keeping { members[name] = member }
        }
        return .object(members)
    }

    private func array(_ keeping: Bool) throws(ImportFault) -> JSONValue {
        try beginArray()
        var elements: [JSONValue] = []
        while try nextElement() {
            let element = try value(keeping: keeping)
            if keeping { elements.append(element) }
        }
        return .array(elements)
    }

    private func word(_ word: String, _ value: JSONValue) throws(ImportFault) -> JSONValue {
        guard source.lookAhead(word.utf8.count).elementsEqual(word.utf8) else { throw fault("a value") }
        _ = source.take(word.utf8.count)
        return value
    }

    /// Reads a number that JSON cannot express, such as `NaN`, as null.
    private func unfit(_ word: String) throws(ImportFault) -> JSONValue {
        let start = place
        let value = try self.word(word, .null)
        unfit += 1
        firstUnfit = firstUnfit ?? start
        return value
    }

    private func number() throws(ImportFault) -> JSONValue {
        let start = place
        var digits: [UInt8] = []
        var isLong = false
        while let byte = source.peek, Self.isNumeric(byte) {
            if digits.count < Self.longestNumber { digits.append(byte) } else { isLong = true }
            source.advance()
        }
        let literal = String(decoding: digits, as: UTF8.self)
        guard let number = Double(literal) else { throw fault("a number, just before this") }
        if !isLong, number.isFinite { return Int64(literal).map(JSONValue.integer) ?? .number(number) }
        unfit += 1
        firstUnfit = firstUnfit ?? start
        return .null
    }

    private static let longestNumber = 64

    private static func isNumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x2b, 0x2d, 0x2e, 0x45, 0x65: true
        default: false
        }
    }

    private func expect(_ byte: UInt8, _ expected: String) throws(ImportFault) {
        guard peek() == byte else { throw fault(expected) }
        source.advance()
    }

    private func skipSpace() {
        while let byte = source.peek, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 {
            source.advance()
        }
    }
}

// The texts of JSON.
extension JSONStream {
    private func string(keeping: Bool) throws(ImportFault) -> String {
        source.advance()
        var bytes: [UInt8] = []
        while let byte = source.peek {
            switch byte {
            case 0x22:
                source.advance()
                if let text = String(validating: bytes, as: UTF8.self) { return text }
                replacedTexts += 1
                firstReplaced = firstReplaced ?? place
                return String(decoding: bytes, as: UTF8.self)
            case 0x5c:
                textBytes += 1
                bytes.append(contentsOf: String(try escape()).utf8)
            default:
                let count = bytes.count
                source.take(while: { $0 != 0x22 && $0 != 0x5c }, to: &bytes)
                textBytes += bytes.count - count
            }
            if !keeping { bytes.removeAll(keepingCapacity: true) }
            if keeping, textBytes > limits.textBytes {
                throw fault("at most \(limits.textBytes >> 20) MiB of text in one exchange")
            }
        }
        throw fault("a closing quote")
    }

    /// Reads an escape from its backslash on; half of a surrogate pair reads as U+FFFD.
    private func escape() throws(ImportFault) -> Unicode.Scalar {
        switch JSONEscape(source.lookAhead(12)) {
        case .scalar(let scalar, let length)?:
            _ = source.take(length)
            return scalar
        case .half(let length)?:
            _ = source.take(length)
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

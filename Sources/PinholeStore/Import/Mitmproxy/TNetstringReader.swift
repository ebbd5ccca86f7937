import PinholeModel

/// Reads typed netstrings, which follow one another in a file.
///
/// A length is accepted only up to a limit and to the end of the file. The nested values are bounded in depth and in
/// number, so a file cannot use more memory than intended.
struct TNetstringReader {
    private let payload: [UInt8]
    /// The offset of the payload in the file.
    private let base: Int64
    private let limits: ImportLimits
    private var values = 0

    /// Reads the next value of a file.
    ///
    /// - Parameters:
    ///   - source: The file; it must have a next byte.
    ///   - limits: The limits on a value.
    /// - Returns: The value.
    /// - Throws: ``SyntaxFault`` if there is no valid value.
    static func read(_ source: ByteSource, limits: ImportLimits) throws(SyntaxFault) -> TNetstring {
        let start = source.offset
        let head = source.lookAhead(13)
        let digits = head.prefix { (0x30...0x39).contains($0) }
        guard !digits.isEmpty, head.dropFirst(digits.count).first == 0x3a,
            let count = Int(String(decoding: digits, as: UTF8.self))
        else {
            let found = head.isEmpty ? "the end of the file" : "other bytes"
            throw fault(start, "a length of 1 to 12 digits and “:”", found)
        }
        guard count <= limits.textBytes else {
            throw fault(start, "at most \(limits.textBytes >> 20) MiB in one flow", "\(count) bytes")
        }
        _ = source.take(digits.count + 1)
        let payload = source.take(count)
        guard payload.count == count, let type = source.peek else {
            throw fault(source.offset, "\(count) bytes and a type after them", "the end of the file")
        }
        source.advance()
        var reader = TNetstringReader(
            payload: payload,
            base: start + Int64(digits.count) + 1,
            limits: limits
        )
        return try reader.value(0..<payload.count, type, depth: 1)
    }

    private init(payload: [UInt8], base: Int64, limits: ImportLimits) {
        self.payload = payload
        self.base = base
        self.limits = limits
    }

    private mutating func value(
        _ range: Range<Int>,
        _ type: UInt8,
        depth: Int
    ) throws(SyntaxFault) -> TNetstring {
        values += 1
        guard values <= limits.values else { throw fault(range, "at most \(limits.values) values", "more") }
        guard depth <= limits.depth else { throw fault(range, "at most \(limits.depth) levels", "more") }
        let bytes = payload[range]
        let literal = { String(decoding: bytes.prefix(64), as: UTF8.self) }
        switch type {
        case 0x2c: return .bytes(bytes)
        case 0x3b: return .text(String(decoding: bytes, as: UTF8.self))
        case 0x7e where range.isEmpty: return .null
        case 0x21 where literal() == "true": return .truth(true)
        case 0x21 where literal() == "false": return .truth(false)
        case 0x23:
            guard bytes.count <= 20, let number = Int64(literal()) else {
                throw fault(range, "a number", TerminalText.quoted(literal()))
            }
            return .integer(number)
        case 0x5e:
            guard bytes.count <= 64, let number = Double(literal()), number.isFinite else {
                throw fault(range, "a number", TerminalText.quoted(literal()))
            }
            return .number(number)
        case 0x5d: return .list(try elements(range, depth: depth))
        case 0x7d: return .dictionary(try members(range, depth: depth))
        default: throw fault(range, "a value and its type", "the type \(type)")
        }
    }

    private mutating func elements(_ range: Range<Int>, depth: Int) throws(SyntaxFault) -> [TNetstring] {
        var elements: [TNetstring] = []
        var position = range.lowerBound
        while position < range.upperBound {
            elements.append(try next(&position, range.upperBound, depth: depth))
        }
        return elements
    }

    private mutating func members(
        _ range: Range<Int>,
        depth: Int
    ) throws(SyntaxFault) -> [String: TNetstring] {
        var members: [String: TNetstring] = [:]
        var position = range.lowerBound
        while position < range.upperBound {
            let place = position
            guard let name = try next(&position, range.upperBound, depth: depth).text else {
                throw fault(place..<place, "a name", "another value")
            }
            guard position < range.upperBound else { throw fault(place..<place, "a value", "none") }
            members[name] = try next(&position, range.upperBound, depth: depth)
        }
        return members
    }

    private mutating func next(
        _ position: inout Int,
        _ end: Int,
        depth: Int
    ) throws(SyntaxFault) -> TNetstring {
        let head = payload[position..<min(position + 13, end)]
        let digits = head.prefix { (0x30...0x39).contains($0) }
        let start = position + digits.count + 1
        guard !digits.isEmpty, head.dropFirst(digits.count).first == 0x3a,
            let count = Int(String(decoding: digits, as: UTF8.self)), count < end - start
        else {
            throw fault(position..<end, "a length, “:”, so many bytes and a type", "other bytes")
        }
        position = start + count + 1
        return try value(start..<start + count, payload[start + count], depth: depth + 1)
    }

    private func fault(_ range: Range<Int>, _ expected: String, _ found: String) -> SyntaxFault {
        Self.fault(base + Int64(range.lowerBound), expected, found)
    }

    private static func fault(_ offset: Int64, _ expected: String, _ found: String) -> SyntaxFault {
        SyntaxFault(offset: offset, expected: "a flow of mitmproxy (\(expected))", found: found)
    }
}

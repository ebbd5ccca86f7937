import PinholeModel

/// Notations in which a writer escapes single characters, and every other byte stands for itself.
struct EscapeNotations: OptionSet, Sendable {
    let rawValue: UInt8

    /// `%41` (RFC 3986 §2.1), with digits in either case, and `%u0041` of `escape` in JavaScript.
    static let percent = EscapeNotations(rawValue: 1)
    /// A plus sign for a space.
    static let plus = EscapeNotations(rawValue: 2)
    /// References of HTML: by number, or by the name of a character of ASCII.
    static let html = EscapeNotations(rawValue: 4)
    /// Escapes of JSON (RFC 8259 §7), `\x41` and `\u{41}` of JavaScript, and `\101` of C.
    static let json = EscapeNotations(rawValue: 8)
    /// `=41` and soft line breaks (RFC 2045 §6.7).
    static let quotedPrintable = EscapeNotations(rawValue: 16)

    /// The notation whose escapes begin with each byte; empty if there is none.
    static let beginnings = (UInt8.min...UInt8.max).map(beginning)

    /// Returns the notation whose escapes begin with a byte; empty if there is none.
    private static func beginning(with byte: UInt8) -> EscapeNotations {
        switch byte {
        case 0x25: .percent
        case 0x2b: .plus
        case 0x26: .html
        case 0x5c: .json
        case 0x3d: .quotedPrintable
        default: []
        }
    }

    fileprivate var spelling: Spelling {
        switch self {
        case .plus: .form
        case .html: .html
        case .json: .json
        case .quotedPrintable: .quotedPrintable
        default: .percent
        }
    }
}

/// A content without its escapes, and the place of each of its bytes in the content.
///
/// A writer may escape any character, so a secret has more spellings than can be listed. Only the escapes are noted: between
/// two of them, the distance of a byte to its place does not change.
struct UnescapedText {
    /// The content without escapes.
    let bytes: [UInt8]

    private struct Escape {
        /// The place in ``bytes``, and the number of bytes there.
        let start: Int
        let count: Int
        /// The place in the content, and the number of bytes there.
        let place: Int
        let length: Int
        let notation: EscapeNotations

        var end: Int { start + count }
        var endOfPlace: Int { place + length }
    }

    /// The character that an escape stands for.
    private enum Character {
        case byte(UInt8)
        case scalar(Unicode.Scalar)
        case none
    }

    private let escapes: [Escape]

    /// Undoes the escapes of some notations in one pass; `nil` if nothing is escaped.
    init?(_ content: [UInt8], _ notations: EscapeNotations) {
        var bytes: [UInt8] = []
        var escapes: [Escape] = []
        var copied = 0
        var position = 0
        let beginnings = EscapeNotations.beginnings
        while position < content.count {
            let notation = beginnings[Int(content[position])].intersection(notations)
            guard !notation.isEmpty, let found = Self.escape(content, position, notation) else {
                position += 1
                continue
            }
            if escapes.isEmpty { bytes.reserveCapacity(content.count) }
            bytes += content[copied..<position]
            let start = bytes.count
            switch found.character {
            case .byte(let byte): bytes.append(byte)
            case .scalar(let scalar): bytes += Swift.Character(scalar).utf8
            case .none: break
            }
            escapes.append(
                Escape(
                    start: start,
                    count: bytes.count - start,
                    place: position,
                    length: found.length,
                    notation: notation
                )
            )
            position += found.length
            copied = position
        }
        guard !escapes.isEmpty else { return nil }
        bytes += content[copied...]
        self.bytes = bytes
        self.escapes = escapes
    }

    /// Returns the octets of the content that a range of ``bytes``, which is not empty, stands for, and no others.
    func place(of range: Range<Int>) -> Range<Int> {
        place(of: range.lowerBound).start..<place(of: range.upperBound - 1).end
    }

    private func place(of byte: Int) -> (start: Int, end: Int) {
        guard let last = lastEscape(notAfter: byte) else { return (byte, byte + 1) }
        let escape = escapes[last]
        guard byte >= escape.end else { return (escape.place, escape.endOfPlace) }
        let start = escape.endOfPlace + byte - escape.end
        return (start, start + 1)
    }

    /// Returns the spelling of the first escape in a range of ``bytes``; `nil` if the range has none.
    func spelling(of range: Range<Int>) -> Spelling? {
        let before = lastEscape(notAfter: range.lowerBound)
        if let before, escapes[before].end > range.lowerBound { return escapes[before].notation.spelling }
        let next = before.map { $0 + 1 } ?? 0
        guard next < escapes.count, escapes[next].start < range.upperBound else { return nil }
        return escapes[next].notation.spelling
    }

    /// Returns the number of the last escape that begins at or before a byte; `nil` if there is none.
    private func lastEscape(notAfter byte: Int) -> Int? {
        var (low, high) = (0, escapes.count)
        while low < high {
            let middle = (low + high) / 2
            if escapes[middle].start <= byte { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? low - 1 : nil
    }

    // MARK: Escapes

    private static func escape(
        _ content: [UInt8],
        _ start: Int,
        _ notation: EscapeNotations
    ) -> (character: Character, length: Int)? {
        switch notation {
        case .percent: byte(content, start + 1).map { (.byte($0), 3) } ?? scalar(content, start)
        case .plus: (.byte(0x20), 1)
        case .html: reference(content, start)
        case .json: backslash(content, start)
        case .quotedPrintable: softBreak(content, start) ?? byte(content, start + 1).map { (.byte($0), 3) }
        default: nil
        }
    }

    /// Reads the byte that two hexadecimal digits stand for.
    private static func byte(_ content: [UInt8], _ start: Int) -> UInt8? {
        guard start + 1 < content.count, let high = Hexadecimal.digit(content[start]),
            let low = Hexadecimal.digit(content[start + 1])
        else { return nil }
        return high << 4 | low
    }

    /// Reads the end of a line that quoted-printable adds.
    private static func softBreak(_ content: [UInt8], _ start: Int) -> (character: Character, length: Int)? {
        let rest = content[(start + 1)...]
        if rest.first == 0x0a { return (.none, 2) }
        return rest.starts(with: [0x0d, 0x0a]) ? (.none, 3) : nil
    }

    /// The references that have names; writers use any of them, since all these characters mean something somewhere.
    private static let names: [String: UInt8] = [
        "tab": 0x09, "newline": 0x0a, "excl": 0x21, "quot": 0x22, "num": 0x23, "dollar": 0x24, "percnt": 0x25,
        "amp": 0x26, "apos": 0x27, "lpar": 0x28, "rpar": 0x29, "ast": 0x2a, "plus": 0x2b, "comma": 0x2c,
        "period": 0x2e, "sol": 0x2f, "colon": 0x3a, "semi": 0x3b, "lt": 0x3c, "equals": 0x3d, "gt": 0x3e,
        "quest": 0x3f, "commat": 0x40, "lsqb": 0x5b, "bsol": 0x5c, "rsqb": 0x5d, "hat": 0x5e, "lowbar": 0x5f,
        "grave": 0x60, "lcub": 0x7b, "verbar": 0x7c, "rcub": 0x7d,
    ]
    /// The number of zeros in front of a number that are read.
    private static let zeros = 64

    /// Reads a reference of HTML; browsers accept one by number without its semicolon.
    private static func reference(_ content: [UInt8], _ start: Int) -> (character: Character, length: Int)? {
        let body = content[(start + 1)...]
        guard body.first == 0x23 else {
            guard let end = body.prefix(8).firstIndex(of: 0x3b) else { return nil }
            return names[String(decoding: body[..<end], as: UTF8.self).lowercased()].map {
                (.byte($0), end + 1 - start)
            }
        }
        let isHexadecimal = body.dropFirst().first.map { $0 | 0x20 == 0x78 } ?? false
        guard
            let number = numeral(content, start + (isHexadecimal ? 3 : 2), radix: isHexadecimal ? 16 : 10),
            let scalar = Unicode.Scalar(number.value)
        else { return nil }
        let end = content[number.end...].first == 0x3b ? number.end + 1 : number.end
        return (.scalar(scalar), end - start)
    }

    /// Reads the digits of a number up to its end.
    private static func numeral(_ content: [UInt8], _ start: Int, radix: UInt8) -> (value: UInt32, end: Int)?
    {
        guard start < content.count else { return nil }
        let padding = content[start...].prefix(zeros).prefix { $0 == 0x30 }
        let digits = content[padding.endIndex...].prefix(8).prefix {
            Hexadecimal.digit($0).map { $0 < radix } ?? false
        }
        guard !padding.isEmpty || !digits.isEmpty else { return nil }
        let text = "0" + String(decoding: digits, as: UTF8.self)
        return UInt32(text, radix: Int(radix)).map { ($0, digits.endIndex) }
    }

    private static func backslash(_ content: [UInt8], _ start: Int) -> (character: Character, length: Int)? {
        guard start + 1 < content.count else { return nil }
        switch content[start + 1] {
        case 0x22, 0x27, 0x2f, 0x5c: return (.byte(content[start + 1]), 2)
        case 0x62: return (.byte(0x08), 2)
        case 0x66: return (.byte(0x0c), 2)
        case 0x6e: return (.byte(0x0a), 2)
        case 0x72: return (.byte(0x0d), 2)
        case 0x74: return (.byte(0x09), 2)
        case 0x78: return byte(content, start + 2).map { (.byte($0), 4) }
        case 0x75: return braced(content, start) ?? scalar(content, start)
        case 0x30...0x33: return octal(content, start)
        default: return nil
        }
    }

    /// Reads a byte in three octal digits.
    private static func octal(_ content: [UInt8], _ start: Int) -> (character: Character, length: Int)? {
        guard let number = numeral(Array(content[start...].dropFirst().prefix(3)), 0, radix: 8),
            number.end == 3
        else { return nil }
        return (.byte(UInt8(truncatingIfNeeded: number.value)), 4)
    }

    /// Reads `\u{X}`.
    private static func braced(_ content: [UInt8], _ start: Int) -> (character: Character, length: Int)? {
        guard start + 2 < content.count, content[start + 2] == 0x7b,
            let number = numeral(content, start + 3, radix: 16), content[number.end...].first == 0x7d,
            let scalar = Unicode.Scalar(number.value)
        else { return nil }
        return (.scalar(scalar), number.end + 1 - start)
    }

    /// Reads a unit behind a mark, or two that are a pair.
    private static func scalar(_ content: [UInt8], _ start: Int) -> (character: Character, length: Int)? {
        guard let first = unit(content, start) else { return nil }
        if let scalar = Unicode.Scalar(first) { return (.scalar(scalar), 6) }
        guard start + 6 < content.count, content[start + 6] == content[start],
            let second = unit(content, start + 6), let scalar = Unicode.Scalar(pair: first, second)
        else { return nil }
        return (.scalar(scalar), 12)
    }

    /// Reads `uXXXX` behind a mark.
    private static func unit(_ content: [UInt8], _ start: Int) -> UInt16? {
        guard content.count >= start + 6, content[start + 1] == 0x75,
            let high = byte(content, start + 2), let low = byte(content, start + 4)
        else { return nil }
        return UInt16(high) << 8 | UInt16(low)
    }
}

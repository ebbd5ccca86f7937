import PinholeModel

/// A content without its escapes, and the place of each of its bytes in the content.
///
/// A writer may escape any character, so a secret has more spellings than can be listed.
struct DecodedText {
    /// The content without escapes.
    let bytes: [UInt8]
    private let starts: [Int]

    /// Undoes the escapes of a notation; `nil` if nothing is escaped.
    ///
    /// - Parameters:
    ///   - content: The content.
    ///   - spelling: The notation; only those of URLs, HTML and JSON have escapes.
    init?(_ content: [UInt8], _ spelling: Spelling) {
        let (mark, read): (UInt8, (ArraySlice<UInt8>) -> ([UInt8], Int)?)
        switch spelling {
        case .percent: (mark, read) = (0x25, Self.percent)
        case .html: (mark, read) = (0x26, Self.reference)
        case .json: (mark, read) = (0x5c, Self.escape)
        case .plain, .base64, .hex: return nil
        }
        guard content.contains(mark) else { return nil }
        var bytes: [UInt8] = []
        var starts: [Int] = []
        bytes.reserveCapacity(content.count)
        starts.reserveCapacity(content.count + 1)
        var position = 0
        while position < content.count {
            if content[position] == mark, let (decoded, length) = read(content[position...]) {
                bytes += decoded
                starts += repeatElement(position, count: decoded.count)
                position += length
            } else {
                bytes.append(content[position])
                starts.append(position)
                position += 1
            }
        }
        guard bytes.count < content.count else { return nil }
        self.bytes = bytes
        self.starts = starts + [content.count]
    }

    /// Returns the place in the content of a range of ``bytes``.
    func place(of range: Range<Int>) -> Range<Int> { starts[range.lowerBound]..<starts[range.upperBound] }

    /// Reads `%XX` (RFC 3986 §2.1).
    private static func percent(_ text: ArraySlice<UInt8>) -> ([UInt8], Int)? {
        let digits = text.dropFirst().prefix(2)
        guard digits.count == 2, let value = number(digits, radix: 16) else { return nil }
        return ([UInt8(truncatingIfNeeded: value)], 3)
    }

    /// Reads a reference of HTML: by number, or one of the five names that writers use for escaping.
    private static func reference(_ text: ArraySlice<UInt8>) -> ([UInt8], Int)? {
        let body = text.dropFirst().prefix(10).prefix { $0 != 0x3b }
        guard text.dropFirst(body.count + 1).first == 0x3b, let first = body.first else { return nil }
        let length = body.count + 2
        if first == 0x23 {
            let isHexadecimal = body.dropFirst().first.map { $0 | 0x20 == 0x78 } ?? false
            let digits = body.dropFirst(isHexadecimal ? 2 : 1)
            guard let value = number(digits, radix: isHexadecimal ? 16 : 10),
                let scalar = Unicode.Scalar(value)
            else { return nil }
            return (Array(String(scalar).utf8), length)
        }
        let names: [String: UInt8] = ["amp": 0x26, "lt": 0x3c, "gt": 0x3e, "quot": 0x22, "apos": 0x27]
        return names[String(decoding: body, as: UTF8.self)].map { ([$0], length) }
    }

    /// Reads an escape of JSON (RFC 8259 §7).
    private static func escape(_ text: ArraySlice<UInt8>) -> ([UInt8], Int)? {
        let simple: [UInt8: UInt8] = [
            0x22: 0x22, 0x5c: 0x5c, 0x2f: 0x2f, 0x62: 0x08, 0x66: 0x0c, 0x6e: 0x0a, 0x72: 0x0d, 0x74: 0x09,
        ]
        guard let letter = text.dropFirst().first else { return nil }
        if let byte = simple[letter] { return ([byte], 2) }
        guard letter == 0x75, let unit = unit(text) else { return nil }
        if let scalar = Unicode.Scalar(UInt32(unit)) { return (Array(String(scalar).utf8), 6) }
        guard let low = self.unit(text.dropFirst(6)) else { return nil }
        return (Array(String(decoding: [unit, low], as: UTF16.self).utf8), 12)
    }

    /// Reads `\uXXXX`.
    private static func unit(_ text: ArraySlice<UInt8>) -> UInt16? {
        let digits = text.dropFirst(2).prefix(4)
        guard text.starts(with: [0x5c, 0x75]), digits.count == 4 else { return nil }
        return number(digits, radix: 16).map { UInt16(truncatingIfNeeded: $0) }
    }

    private static func number(_ digits: ArraySlice<UInt8>, radix: Int) -> UInt32? {
        // The initializer takes a sign as well.
        guard digits.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0 | 0x20) }) else {
            return nil
        }
        return UInt32(String(decoding: digits, as: UTF8.self), radix: radix)
    }
}

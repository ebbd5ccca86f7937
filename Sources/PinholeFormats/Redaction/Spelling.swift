import PinholeModel

/// A way in which a value is written in a message.
package enum Spelling: String, CaseIterable, Sendable {
    /// The bytes themselves.
    case plain
    /// Percent-encoded (RFC 3986 §2.1), as in URLs and forms.
    case percent
    /// Base64 or base64url (RFC 4648 §4, §5).
    case base64
    /// Hexadecimal digits.
    case hex
    /// With the references of HTML.
    case html
    /// With the escapes of JSON (RFC 8259 §7).
    case json

    /// Returns a value in every spelling in which it can be found; those that equal a former one are left out.
    package static func all(of value: [UInt8]) -> [(spelling: Spelling, bytes: [UInt8])] {
        var seen: Set<[UInt8]> = []
        return allCases.flatMap { spelling in
            spelling.bytes(of: value).filter { seen.insert($0).inserted }.map { (spelling, $0) }
        }
    }

    private func bytes(of value: [UInt8]) -> [[UInt8]] {
        switch self {
        case .plain: return [value]
        case .percent:
            let all = value.map { byte in PercentCoding.isUnreserved(byte) ? [byte] : Self.percent(byte) }
            let upper = Array(all.joined())
            let form = Array(zip(value, all).map { $0 == 0x20 ? [0x2b] : $1 }.joined())
            return [upper, Self.lowercased(upper), form, Array(value.map(Self.percent).joined())]
        case .base64: return Self.base64(value)
        case .hex:
            let digits = Array(Hexadecimal.encode(value).utf8)
            return [digits, digits.map { (0x61...0x66).contains($0) ? $0 - 0x20 : $0 }]
        case .html:
            let text = String(decoding: value, as: UTF8.self)
            let escaped = MarkupText.attribute(text)
            return [escaped, escaped.replacing("'", with: "&#39;"), MarkupText.escape(text)].map {
                Array($0.utf8)
            }
        case .json: return Self.json(String(decoding: value, as: UTF8.self))
        }
    }

    private static func percent(_ byte: UInt8) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return [0x25, digits[Int(byte >> 4)], digits[Int(byte & 0xf)]]
    }

    /// Writes the digits of percent-encoded bytes in lower case.
    private static func lowercased(_ bytes: [UInt8]) -> [UInt8] {
        var left = 0
        return bytes.map { byte in
            if byte == 0x25 { left = 3 }
            defer { left -= 1 }
            return left > 0 && (0x41...0x46).contains(byte) ? byte | 0x20 : byte
        }
    }

    /// Base64 of a longer text holds a value in one of three forms, which depend on the bytes before it.
    private static func base64(_ value: [UInt8]) -> [[UInt8]] {
        (0..<3).flatMap { offset -> [[UInt8]] in
            let text = Array(Base64.encode([UInt8](repeating: 0, count: offset) + value).utf8)
            // The first and the last letters also depend on the neighbours.
            let first = [0, 2, 3][offset]
            let last = (offset + value.count) * 8 / 6
            guard last - first >= ByteSearch.shortest else { return [] }
            let inner = Array(text[first..<last])
            let forURLs = inner.map { $0 == 0x2b ? 0x2d : $0 == 0x2f ? 0x5f : $0 }
            return [inner, forURLs]
        }
    }

    private static func json(_ text: String) -> [[UInt8]] {
        let escaped =
            (try? JSONText.encoding(text, isSorted: true)).map { String($0.dropFirst().dropLast()) } ?? text
        let ascii = text.utf16.map { unit in
            unit < 0x80 ? String(UnicodeScalar(UInt8(unit))) : "\\u" + Self.hex(unit)
        }.joined()
        return [escaped, escaped.replacing("/", with: "\\/"), ascii].map { Array($0.utf8) }
    }

    private static func hex(_ unit: UInt16) -> String {
        let digits = String(unit, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }
}

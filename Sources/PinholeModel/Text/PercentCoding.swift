/// Percent-encoding (RFC 3986 §2.1).
package enum PercentCoding {
    private static let sign: UInt8 = 0x25
    private static let digits = Array("0123456789ABCDEF".utf8)
    private static let urlMarks = Set("-._~:/?#[]@!$&'()*+,;=%".utf8)

    /// Whether a byte is unreserved, so that it is never encoded (RFC 3986 §2.3).
    package static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f, 0x7e: true
        default: false
        }
    }

    /// Whether a byte can stand in a URL: it is unreserved or reserved, or begins an encoded byte.
    package static func isOfURL(_ byte: UInt8) -> Bool { isUnreserved(byte) || urlMarks.contains(byte) }

    /// Encodes all bytes that are not plain.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - isPlain: Whether a byte stays as it is.
    /// - Returns: The text; plain bytes that are not UTF-8 are replaced by U+FFFD.
    package static func encode(
        _ bytes: some Sequence<UInt8>,
        isPlain: (UInt8) -> Bool = isUnreserved
    ) -> String {
        var text: [UInt8] = []
        for byte in bytes {
            if isPlain(byte) {
                text.append(byte)
            } else {
                text += [sign, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes a text, in which a percent sign without two digits stands for itself.
    ///
    /// - Parameters:
    ///   - text: The text in UTF-8.
    ///   - plusIsSpace: Whether a plus sign stands for a space, as in the names and values of HTML forms.
    /// - Returns: The bytes.
    package static func decode(_ text: some Sequence<UInt8>, plusIsSpace: Bool = false) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Array(text)[...]
        while let byte = rest.popFirst() {
            if byte == sign, let value = value(of: rest) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(plusIsSpace && byte == 0x2b ? 0x20 : byte)
            }
        }
        return bytes
    }

    /// Decodes a text that must be encoded well.
    ///
    /// - Parameter text: The text in UTF-8.
    /// - Returns: The decoded text; `nil` if a percent sign is not followed by two digits, or the result is not UTF-8.
    package static func text(of text: some Collection<UInt8>) -> String? {
        var rest = Array(text)[...]
        while let place = rest.firstIndex(of: sign) {
            rest = rest[(place + 1)...]
            guard value(of: rest) != nil else { return nil }
        }
        return String(validating: decode(text), as: UTF8.self)
    }

    /// Returns the byte that the first two digits denote; `nil` if there are none.
    private static func value(of digits: ArraySlice<UInt8>) -> UInt8? {
        guard let high = digits.first.flatMap(Hexadecimal.digit),
            let low = digits.dropFirst().first.flatMap(Hexadecimal.digit)
        else { return nil }
        return high << 4 | low
    }
}

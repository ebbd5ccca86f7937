/// Base64 (RFC 4648 §4).
package enum Base64 {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
    )

    /// Returns the padded encoding of `bytes` on one line.
    package static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        append(bytes, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the padded encoding of `bytes` to `text`, on one line.
    package static func append(_ bytes: [UInt8], to text: inout [UInt8]) {
        text.reserveCapacity(text.count + (bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let count = min(3, bytes.count - start)
            var group = UInt32(bytes[start]) << 16
            if count > 1 { group |= UInt32(bytes[start + 1]) << 8 }
            if count > 2 { group |= UInt32(bytes[start + 2]) }
            text.append(alphabet[Int(group >> 18)])
            text.append(alphabet[Int(group >> 12 & 63)])
            text.append(count > 1 ? alphabet[Int(group >> 6 & 63)] : 0x3d)
            text.append(count > 2 ? alphabet[Int(group & 63)] : 0x3d)
        }
    }

    /// Decodes padded Base64, ignoring white space.
    ///
    /// - Parameters:
    ///   - text: The encoding.
    ///   - takesSpareBits: Whether the last character may have bits that belong to no byte (RFC 4648 §3.5).
    /// - Returns: The bytes; `nil` for a foreign character, wrong padding or spare bits.
    package static func decode(_ text: some Sequence<UInt8>, takesSpareBits: Bool = false) -> [UInt8]? {
        // A loop over an array has no calls in it, as one over any sequence would have.
        let text = Array(text)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var group: UInt32 = 0
        var count = 0
        var padding = 0
        for character in text {
            if character == 0x3d {
                padding += 1
                continue
            }
            if character == 0x20 || (0x09...0x0d).contains(character) { continue }
            guard padding == 0, let value = value(of: character) else { return nil }
            group = group << 6 | value
            count += 1
            guard count == 4 else { continue }
            bytes.append(UInt8(group >> 16))
            bytes.append(UInt8(group >> 8 & 0xff))
            bytes.append(UInt8(group & 0xff))
            group = 0
            count = 0
        }
        switch (count, padding) {
        case (0, 0):
            return bytes
        case (2, 2) where takesSpareBits || group & 0x0f == 0:
            return bytes + [UInt8(group >> 4)]
        case (3, 1) where takesSpareBits || group & 0x03 == 0:
            return bytes + [UInt8(group >> 10), UInt8(group >> 2 & 0xff)]
        default:
            return nil
        }
    }

    private static func value(of character: UInt8) -> UInt32? {
        switch character {
        case 0x41...0x5a: UInt32(character - 0x41)
        case 0x61...0x7a: UInt32(character - 0x61 + 26)
        case 0x30...0x39: UInt32(character - 0x30 + 52)
        case 0x2b: 62
        case 0x2f: 63
        default: nil
        }
    }
}

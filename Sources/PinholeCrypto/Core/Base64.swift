/// Base64 (RFC 4648 §4).
package enum Base64 {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
    )

    /// The padded encoding of `bytes` on one line.
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        var group: UInt32 = 0
        var count = 0
        for byte in bytes {
            group = group << 8 | UInt32(byte)
            count += 1
            guard count == 3 else { continue }
            append(group, characters: 4, to: &text)
            group = 0
            count = 0
        }
        if count > 0 {
            append(group << (8 * (3 - UInt32(count))), characters: count + 1, to: &text)
            text.append(contentsOf: repeatElement(0x3d, count: 3 - count))
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes of padded Base64, white space ignored.
    ///
    /// - Parameter text: The encoding.
    /// - Returns: The bytes; `nil` for a foreign character, wrong padding or left-over bits.
    package static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
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
            bytes += [UInt8(group >> 16), UInt8(group >> 8 & 0xff), UInt8(group & 0xff)]
            group = 0
            count = 0
        }
        switch (count, padding) {
        case (0, 0):
            return bytes
        case (2, 2) where group & 0x0f == 0:
            return bytes + [UInt8(group >> 4)]
        case (3, 1) where group & 0x03 == 0:
            return bytes + [UInt8(group >> 10), UInt8(group >> 2 & 0xff)]
        default:
            return nil
        }
    }

    private static func append(_ group: UInt32, characters: Int, to text: inout [UInt8]) {
        for index in 0..<characters {
            text.append(alphabet[Int(group >> (18 - 6 * UInt32(index)) & 0x3f)])
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

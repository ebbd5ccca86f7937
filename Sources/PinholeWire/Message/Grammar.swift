/// The character classes of RFC 9110 §5.6 as bit masks, without tables in memory and without closures.
enum Grammar {
    static let carriageReturn: UInt8 = 0x0d
    static let lineFeed: UInt8 = 0x0a
    static let space: UInt8 = 0x20
    static let tab: UInt8 = 0x09
    static let colon: UInt8 = 0x3a

    /// Whether `byte` may stand in a token (RFC 9110 §5.6.2).
    @inline(__always)
    static func isToken(_ byte: UInt8) -> Bool {
        // The bits below 0x40 are ! # $ % & ' * + - . 0…9; the bits above are A…Z ^ _ ` a…z | ~.
        let low: UInt64 = 0x03ff_6cfa_0000_0000
        let high: UInt64 = 0x57ff_ffff_c7ff_fffe
        guard byte < 0x80 else { return false }
        return (byte < 0x40 ? low &>> UInt64(byte) : high &>> UInt64(byte & 0x3f)) & 1 == 1
    }

    /// Whether `byte` is a control character other than a tab.
    ///
    /// Lines of a head must not contain one.
    @inline(__always)
    static func isControl(_ byte: UInt8) -> Bool {
        (byte < 0x20 && byte != tab) || byte == 0x7f
    }

    @inline(__always)
    static func isBlank(_ byte: UInt8) -> Bool { byte == space || byte == tab }

    @inline(__always)
    static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    /// Returns the index of the first control character (tabs included) from `start` to before `end`; `end`
    /// if there is none.
    ///
    /// The search looks at eight bytes at a time, since a head contains hardly any control characters.
    static func firstControl(in bytes: Span<UInt8>, from start: Int, to end: Int) -> Int {
        precondition(start >= 0 && end <= bytes.count, "the range lies in the bytes")
        let ones: UInt64 = 0x0101_0101_0101_0101
        var index = start
        while index <= end - 8 {
            let word = unsafe UInt64(
                littleEndian: bytes.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
            )
            let delete = word ^ (ones &* 0x7f)
            // The top bit of the lowest match is exact. Bits above it may be wrong and are not used.
            let found = ((word &- ones &* 0x20) & ~word | (delete &- ones) & ~delete) & (ones &* 0x80)
            if found != 0 { return index + found.trailingZeroBitCount / 8 }
            index += 8
        }
        while index < end, bytes[index] >= 0x20, bytes[index] != 0x7f { index += 1 }
        return max(index, start)
    }

    /// Whether `bytes` is a token: at least one byte, and only token characters.
    static func isToken(_ bytes: some Collection<UInt8>) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy { isToken($0) }
    }

    /// The number that `digits` states in decimal; `nil` if there is a sign, another character, or an overflow.
    static func decimal(_ digits: some Collection<UInt8>) -> Int64? {
        guard !digits.isEmpty else { return nil }
        var number: Int64 = 0
        for digit in digits {
            guard isDigit(digit) else { return nil }
            let (product, overflow) = number.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(Int64(digit - 0x30))
            guard !overflow, !carry else { return nil }
            number = sum
        }
        return number
    }

    /// Whether `bytes` equals `text` (in lower case), ignoring case.
    static func matches(_ bytes: ArraySlice<UInt8>, _ text: String) -> Bool {
        guard bytes.count == text.utf8.count else { return false }
        return zip(bytes, text.utf8).allSatisfy { byte, expected in
            (byte &- 0x41 < 26 ? byte | 0x20 : byte) == expected
        }
    }
}

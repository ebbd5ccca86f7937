/// The character classes of RFC 9110 §5.6, as bit masks: no table in memory, no closure.
enum Grammar {
    static let carriageReturn: UInt8 = 0x0d
    static let lineFeed: UInt8 = 0x0a
    static let space: UInt8 = 0x20
    static let tab: UInt8 = 0x09
    static let colon: UInt8 = 0x3a

    /// Whether `byte` may stand in a token (RFC 9110 §5.6.2).
    @inline(__always)
    static func isToken(_ byte: UInt8) -> Bool {
        // ! # $ % & ' * + - . 0…9 lie below 0x40; A…Z ^ _ ` a…z | ~ above.
        let low: UInt64 = 0x03ff_6cfa_0000_0000
        let high: UInt64 = 0x57ff_ffff_c7ff_fffe
        guard byte < 0x80 else { return false }
        return (byte < 0x40 ? low &>> UInt64(byte) : high &>> UInt64(byte & 0x3f)) & 1 == 1
    }

    /// Whether `byte` is a control character other than a tab: never allowed inside a line of a head.
    @inline(__always)
    static func isControl(_ byte: UInt8) -> Bool {
        (byte < 0x20 && byte != tab) || byte == 0x7f
    }

    @inline(__always)
    static func isBlank(_ byte: UInt8) -> Bool { byte == space || byte == tab }

    @inline(__always)
    static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    /// The first control character in `bytes` from `start` on and before `end`, a tab too; `end` where there is none.
    ///
    /// It looks at eight bytes at a time: nearly all of a head are none.
    static func firstControl(in bytes: Span<UInt8>, from start: Int, to end: Int) -> Int {
        precondition(start >= 0 && end <= bytes.count, "the range lies in the bytes")
        let ones: UInt64 = 0x0101_0101_0101_0101
        var index = start
        while index <= end - 8 {
            let word = unsafe UInt64(
                littleEndian: bytes.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
            )
            let delete = word ^ (ones &* 0x7f)
            // The top bit of the lowest byte that is found is exact; those above it may be wrong, and are not asked for.
            let found = ((word &- ones &* 0x20) & ~word | (delete &- ones) & ~delete) & (ones &* 0x80)
            if found != 0 { return index + found.trailingZeroBitCount / 8 }
            index += 8
        }
        while index < end, bytes[index] >= 0x20, bytes[index] != 0x7f { index += 1 }
        return max(index, start)
    }

    /// Whether `bytes` is a token: at least one byte, all of them token characters.
    static func isToken(_ bytes: some Collection<UInt8>) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy { isToken($0) }
    }

    /// The number that `digits` says in decimal: digits only, no sign, no overflow.
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

    /// Whether `bytes` spells `text` (in lower case), whatever the case of its letters.
    static func matches(_ bytes: ArraySlice<UInt8>, _ text: String) -> Bool {
        guard bytes.count == text.utf8.count else { return false }
        return zip(bytes, text.utf8).allSatisfy { byte, expected in
            (byte &- 0x41 < 26 ? byte | 0x20 : byte) == expected
        }
    }
}

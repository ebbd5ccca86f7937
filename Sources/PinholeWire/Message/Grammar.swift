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
    /// The search looks at sixteen bytes at a time, since a head contains hardly any control characters.
    static func firstControl(in bytes: Span<UInt8>, from start: Int, to end: Int) -> Int {
        precondition(start >= 0 && end <= bytes.count, "the range lies in the bytes")
        var index = start
        while index <= end - 16 {
            let first = controls(in: word(of: bytes, at: index))
            let second = controls(in: word(of: bytes, at: index &+ 8))
            guard first | second == 0 else {
                return index
                    &+ (first != 0 ? first.trailingZeroBitCount / 8 : 8 &+ second.trailingZeroBitCount / 8)
            }
            index &+= 16
        }
        while index < end, bytes[index] >= 0x20, bytes[index] != 0x7f { index &+= 1 }
        return max(index, start)
    }

    /// The eight bytes at `index`, the first one in the lowest bits.
    ///
    /// The caller has checked that all of them are in `bytes`.
    @inline(__always)
    private static func word(of bytes: Span<UInt8>, at index: Int) -> UInt64 {
        unsafe UInt64(littleEndian: bytes.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
    }

    /// The top bits of the control characters in `word`; only the lowest one is exact.
    @inline(__always)
    private static func controls(in word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let delete = word ^ (ones &* 0x7f)
        return ((word &- ones &* 0x20) & ~word | (delete &- ones) & ~delete) & (ones &* 0x80)
    }

    /// Returns the index of the first `byte` from `start` to before `end`; `end` if there is none.
    static func firstIndex(of byte: UInt8, in bytes: Span<UInt8>, from start: Int, to end: Int) -> Int {
        precondition(start >= 0 && end <= bytes.count, "the range lies in the bytes")
        let ones: UInt64 = 0x0101_0101_0101_0101
        var index = start
        while index <= end - 8 {
            let rest = word(of: bytes, at: index) ^ (ones &* UInt64(byte))
            // The top bit of the lowest match is exact.
            let found = (rest &- ones) & ~rest & (ones &* 0x80)
            if found != 0 { return index &+ found.trailingZeroBitCount / 8 }
            index &+= 8
        }
        while index < end, bytes[index] != byte { index &+= 1 }
        return max(index, start)
    }

    /// Whether a text contains a byte; eight bytes are looked at together.
    static func contains(_ byte: UInt8, in text: String) -> Bool {
        let bytes = text.utf8.span
        return firstIndex(of: byte, in: bytes, from: 0, to: bytes.count) < bytes.count
    }

    /// Returns the index of the last `byte`; `nil` if there is none.
    static func lastIndex(of byte: UInt8, in bytes: Span<UInt8>) -> Int? {
        var index = bytes.count
        while index > 0 {
            index &-= 1
            if bytes[index] == byte { return index }
        }
        return nil
    }

    /// Returns the end of the token characters that begin at `start`, which may be none.
    ///
    /// Most bytes of field names are letters and hyphens. The search recognises eight of them at once.
    @inline(__always)
    static func tokenEnd(in bytes: Span<UInt8>, from start: Int) -> Int {
        precondition(start >= 0, "the place lies in the bytes")
        var index = start
        while index <= bytes.count - 8 {
            let others = othersThanLettersAndHyphens(word(of: bytes, at: index))
            guard others != 0 else {
                index &+= 8
                continue
            }
            index &+= others.trailingZeroBitCount / 8
            guard isToken(bytes[index]) else { return index }
            index &+= 1
        }
        while index < bytes.count, isToken(bytes[index]) { index &+= 1 }
        return index
    }

    /// The top bit of each byte in `word` that is neither a letter nor a hyphen.
    @inline(__always)
    private static func othersThanLettersAndHyphens(_ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        // No sum of two bytes below 0x80 carries into the next byte.
        let low = word & (ones &* 0x7f)
        let folded = low | (ones &* 0x20)
        let letters = (folded &+ (ones &* (0x80 - 0x61))) & ~(folded &+ (ones &* (0x80 - 0x7b)))
        let hyphens = ~((low ^ (ones &* 0x2d)) &+ (ones &* 0x7f))
        return ~((letters | hyphens) & ~word) & (ones &* 0x80)
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

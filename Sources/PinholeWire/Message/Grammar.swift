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
    @inline(__always)
    static func firstControl(in bytes: Span<UInt8>, from start: Int, to end: Int) -> Int {
        first(in: bytes, from: start, to: end) { below(0x20, $0) | equal(0x7f, $0) }
    }

    /// Returns the index of the first `byte` from `start` to before `end`; `end` if there is none.
    static func firstIndex(of byte: UInt8, in bytes: Span<UInt8>, from start: Int, to end: Int) -> Int {
        first(in: bytes, from: start, to: end) { equal(byte, $0) }
    }

    /// Returns the index of the first blank, control character or `#` from `start` to before `end`; `end` if there is
    /// none.
    static func pathEnd(in bytes: Span<UInt8>, from start: Int, to end: Int) -> Int {
        first(in: bytes, from: start, to: end) { below(0x21, $0) | equal(0x23, $0) }
    }

    /// Whether there is a space or a tab from `start` to before `end`.
    static func hasBlank(in bytes: Span<UInt8>, from start: Int, to end: Int) -> Bool {
        firstIndex(of: space, in: bytes, from: start, to: end) < end
            || firstIndex(of: tab, in: bytes, from: start, to: end) < end
    }

    /// Whether a text contains a byte.
    static func contains(_ byte: UInt8, in text: String) -> Bool {
        let bytes = text.utf8.span
        return firstIndex(of: byte, in: bytes, from: 0, to: bytes.count) < bytes.count
    }

    /// Returns the index of the last `byte` before `end`; `nil` if there is none.
    static func lastIndex(of byte: UInt8, in bytes: Span<UInt8>, before end: Int) -> Int? {
        var index = end
        while index > 0 {
            index &-= 1
            if bytes[index] == byte { return index }
        }
        return nil
    }

    /// Returns the end of the token characters that begin at `start`, which may be none.
    ///
    /// Most bytes of field names are letters and hyphens.
    @inline(__always)
    static func tokenEnd(in bytes: Span<UInt8>, from start: Int) -> Int {
        var index = start
        while true {
            index = first(in: bytes, from: index, to: bytes.count) { ~(letters($0) | equal(0x2d, $0)) }
            guard index < bytes.count, bytes[index] != colon, isToken(bytes[index]) else { return index }
            index &+= 1
        }
    }

    /// Whether `bytes` is a token: at least one byte, and only token characters.
    static func isToken(_ bytes: some Collection<UInt8>) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy { isToken($0) }
    }

    /// The number that `digits` states in decimal; `nil` if there is a sign, another character, or an overflow.
    static func decimal(_ digits: Span<UInt8>) -> Int64? {
        guard !digits.isEmpty else { return nil }
        var number: Int64 = 0
        for index in digits.indices {
            let digit = digits[index]
            guard isDigit(digit) else { return nil }
            let (product, overflow) = number.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(Int64(digit - 0x30))
            guard !overflow, !carry else { return nil }
            number = sum
        }
        return number
    }

    /// The number that `digits` states in decimal.
    static func decimal(_ digits: ArraySlice<UInt8>) -> Int64? { decimal(digits.span) }

    /// Whether `bytes` equals `text` (in lower case), ignoring case.
    static func matches(_ bytes: ArraySlice<UInt8>, _ text: String) -> Bool {
        guard bytes.count == text.utf8.count else { return false }
        return zip(bytes, text.utf8).allSatisfy { byte, expected in
            (byte &- 0x41 < 26 ? byte | 0x20 : byte) == expected
        }
    }
}

/// Sixteen bytes at a time.
extension Grammar {
    private typealias Vector = SIMD16<UInt8>

    /// Returns the index of the first byte from `start` to before `end` whose top bit `marks` sets; `end` if there is
    /// none.
    @inline(__always)
    private static func first(
        in bytes: Span<UInt8>,
        from start: Int,
        to end: Int,
        _ marks: (Vector) -> Vector
    ) -> Int {
        precondition(start >= 0 && end <= bytes.count, "the range lies in the bytes")
        var index = start
        while index < end {
            let words = words(marks(vector(of: bytes, from: index)) & Vector(repeating: 0x80))
            if words[0] != 0 { return min(end, index &+ words[0].trailingZeroBitCount &>> 3) }
            if words[1] != 0 { return min(end, index &+ 8 &+ words[1].trailingZeroBitCount &>> 3) }
            index &+= 16
        }
        return max(start, end)
    }

    /// The sixteen bytes from `index` on; zeros follow the last byte.
    @inline(__always)
    private static func vector(of bytes: Span<UInt8>, from index: Int) -> Vector {
        guard index <= bytes.count &- 16 else { return rest(of: bytes, from: index) }
        return unsafe bytes.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: Vector.self)
    }

    /// The bytes from `index` on, which are fewer than sixteen, and zeros.
    @inline(never)
    private static func rest(of bytes: Span<UInt8>, from index: Int) -> Vector {
        guard bytes.count >= 16 else {
            var rest = Vector()
            for place in index..<bytes.count { rest[place - index] = bytes[place] }
            return rest
        }
        let start = bytes.count &- 16
        let last = unsafe unsafeBitCast(vector(of: bytes, from: start), to: UInt128.self)
        return unsafe unsafeBitCast(
            last &>> UInt128(truncatingIfNeeded: (index &- start) &* 8),
            to: Vector.self
        )
    }

    /// The bytes as two words, the first one in the lowest bits.
    @inline(__always)
    private static func words(_ vector: Vector) -> SIMD2<UInt64> {
        unsafe unsafeBitCast(vector, to: SIMD2<UInt64>.self)
    }

    // Vectors are compared by arithmetic, because the standard library compares them byte for byte.

    /// The top bit of each byte below `limit`, which is at most 0x80.
    @inline(__always)
    private static func below(_ limit: UInt8, _ bytes: Vector) -> Vector {
        (bytes &- Vector(repeating: limit)) & ~bytes
    }

    /// The top bit of each byte that is `byte`.
    @inline(__always)
    private static func equal(_ byte: UInt8, _ bytes: Vector) -> Vector {
        below(1, bytes ^ Vector(repeating: byte))
    }

    /// The top bit of each ASCII letter.
    @inline(__always)
    private static func letters(_ bytes: Vector) -> Vector {
        below(26, (bytes | Vector(repeating: 0x20)) &- Vector(repeating: 0x61))
    }
}

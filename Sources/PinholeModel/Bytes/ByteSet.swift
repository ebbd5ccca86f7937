/// A set of bytes.
package struct ByteSet: Hashable, Sendable {
    private var words: [UInt64] = [0, 0, 0, 0]

    /// Creates an empty set.
    package init() {}

    /// Creates a set of the bytes in `ranges`.
    package init(_ ranges: ClosedRange<UInt8>...) {
        for range in ranges { insert(range) }
    }

    /// Adds the bytes of `range`.
    package mutating func insert(_ range: ClosedRange<UInt8>) {
        for byte in range { words[Int(byte >> 6)] |= 1 << UInt64(byte & 63) }
    }

    /// Adds the bytes of `other`.
    package mutating func formUnion(_ other: ByteSet) {
        for index in words.indices { words[index] |= other.words[index] }
    }

    /// The bytes that are not in the set.
    package var inverted: ByteSet {
        var inverted = self
        for index in words.indices { inverted.words[index] = ~words[index] }
        return inverted
    }

    /// The set with both cases of each ASCII letter in it.
    package var ignoringCase: ByteSet {
        var folded = self
        for byte in bytes {
            let lower = byte | 0x20
            guard (0x61...0x7a).contains(lower), byte & 0x40 != 0 else { continue }
            folded.insert(lower...lower)
            folded.insert(lower & ~0x20...lower & ~0x20)
        }
        return folded
    }

    /// Whether `byte` is in the set.
    package func contains(_ byte: UInt8) -> Bool { words[Int(byte >> 6)] >> UInt64(byte & 63) & 1 == 1 }

    /// Whether all bytes of the set are below 0x80.
    package var isASCII: Bool { words[2] == 0 && words[3] == 0 }

    /// The bytes, lowest first.
    package var bytes: [UInt8] { (UInt8.min...UInt8.max).filter(contains) }

    /// The byte that the set stands for, in lower case; `nil` unless the set is one byte, or one letter in both cases.
    package var literal: UInt8? {
        let count = words.reduce(0) { $0 + $1.nonzeroBitCount }
        guard count == 1 || count == 2, let last = bytes.last else { return nil }
        if count == 1 { return last }
        return ByteSet(last...last).ignoringCase == self ? last : nil
    }

    /// The bytes of 0 to 9.
    package static let digits = ByteSet(0x30...0x39)
    /// The letters, digits and the underscore.
    package static let word = ByteSet(0x30...0x39, 0x41...0x5a, 0x5f...0x5f, 0x61...0x7a)
    /// The characters of tokens (RFC 9110 §5.6.2).
    package static let token = ByteSet(
        0x21...0x21,
        0x23...0x27,
        0x2a...0x2b,
        0x2d...0x2e,
        0x30...0x39,
        0x41...0x5a,
        0x5e...0x7a,
        0x7c...0x7c,
        0x7e...0x7e
    )
    /// White space.
    package static let space = ByteSet(0x09...0x0d, 0x20...0x20)
    /// The line feed.
    package static let newline = ByteSet(0x0a...0x0a)
}

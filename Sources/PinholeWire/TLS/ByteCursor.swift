/// Reads big-endian numbers and length-prefixed vectors (RFC 8446 §3) from the front of bytes.
///
/// Every read returns `nil` if too few bytes are left, so it cannot read beyond the end.
struct ByteCursor {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// Whether all bytes were read.
    var isAtEnd: Bool { rest.isEmpty }

    /// Reads one byte.
    mutating func byte() -> UInt8? { rest.popFirst() }

    /// Reads a number of `size` bytes, 1 to 4.
    mutating func number(_ size: Int) -> Int? {
        guard let bytes = bytes(size) else { return nil }
        return bytes.reduce(0) { $0 << 8 | Int($1) }
    }

    /// Reads a number of two bytes.
    mutating func uint16() -> UInt16? { number(2).map { UInt16(truncatingIfNeeded: $0) } }

    /// Reads `count` bytes.
    mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// Reads a vector whose length is stored before it in `size` bytes.
    mutating func vector(_ size: Int) -> ArraySlice<UInt8>? {
        guard let count = number(size) else { return nil }
        return bytes(count)
    }
}

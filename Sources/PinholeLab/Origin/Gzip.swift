/// A small gzip encoder (RFC 1952): LZ77 with the fixed Huffman codes of DEFLATE (RFC 1951).
///
/// It is here so that the origin needs no library; for a real server it compresses too little.
enum Gzip {
    /// Compresses `bytes`.
    static func compress(_ bytes: [UInt8]) -> [UInt8] {
        // No name, no time, unknown system.
        let header: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]
        return header + deflate(bytes) + littleEndian(crc32(bytes))
            + littleEndian(UInt32(truncatingIfNeeded: bytes.count))
    }

    private static let shortestMatch = 3
    private static let longestMatch = 258
    private static let window = 32 << 10

    private static func deflate(_ bytes: [UInt8]) -> [UInt8] {
        var bits = BitWriter()
        // The one and last block, with fixed codes.
        bits.append(1, count: 1)
        bits.append(1, count: 2)
        var lastSeen: [UInt32: Int] = [:]
        var position = 0
        while position < bytes.count {
            let match = match(in: bytes, at: position, lastSeen)
            note(bytes, at: position, in: &lastSeen)
            if let match {
                bits.append(length: match.length)
                bits.append(distance: match.distance)
                position += match.length
            } else {
                bits.append(symbol: Int(bytes[position]))
                position += 1
            }
        }
        bits.append(symbol: 256)
        return bits.finish()
    }

    private static func key(_ bytes: [UInt8], _ position: Int) -> UInt32? {
        guard position + shortestMatch <= bytes.count else { return nil }
        return bytes[position..<position + shortestMatch].reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static func note(_ bytes: [UInt8], at position: Int, in lastSeen: inout [UInt32: Int]) {
        if let key = key(bytes, position) { lastSeen[key] = position }
    }

    private static func match(
        in bytes: [UInt8],
        at position: Int,
        _ lastSeen: [UInt32: Int]
    ) -> (length: Int, distance: Int)? {
        guard let earlier = key(bytes, position).flatMap({ lastSeen[$0] }), position - earlier <= window
        else {
            return nil
        }
        let longest = min(longestMatch, bytes.count - position)
        let length = (0..<longest).first { bytes[earlier + $0] != bytes[position + $0] } ?? longest
        return length >= shortestMatch ? (length, position - earlier) : nil
    }

    static func crc32(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in
                value & 1 == 1 ? value >> 1 ^ 0xedb8_8320 : value >> 1
            }
        }
    }

    private static func littleEndian(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}

/// Bits in the order of DEFLATE: the lowest bit of a byte first.
private struct BitWriter {
    private var bytes: [UInt8] = []
    private var pending: UInt64 = 0
    private var pendingCount = 0

    mutating func append(_ value: Int, count: Int) {
        pending |= UInt64(value) << UInt64(pendingCount)
        pendingCount += count
        while pendingCount >= 8 {
            bytes.append(UInt8(truncatingIfNeeded: pending))
            pending >>= 8
            pendingCount -= 8
        }
    }

    /// Appends a literal, a length or the end by its fixed code (RFC 1951 §3.2.6).
    mutating func append(symbol: Int) {
        switch symbol {
        case ..<144: append(code: 0x30 + symbol, count: 8)
        case ..<256: append(code: 0x190 + symbol - 144, count: 9)
        case ..<280: append(code: symbol - 256, count: 7)
        default: append(code: 0xc0 + symbol - 280, count: 8)
        }
    }

    /// Appends the length of a match: its code and the extra bits (RFC 1951 §3.2.5).
    mutating func append(length: Int) {
        guard length < 258 else { return append(symbol: 285) }
        let (index, extra, rest) = Self.bucket(length - 3, perDoubling: 4)
        append(symbol: 257 + index)
        append(rest, count: extra)
    }

    /// Appends the distance of a match.
    mutating func append(distance: Int) {
        let (index, extra, rest) = Self.bucket(distance - 1, perDoubling: 2)
        append(code: index, count: 5)
        append(rest, count: extra)
    }

    mutating func finish() -> [UInt8] {
        if pendingCount > 0 { append(0, count: 8 - pendingCount) }
        return bytes
    }

    /// Huffman codes go highest bit first.
    private mutating func append(code: Int, count: Int) {
        for bit in stride(from: count - 1, through: 0, by: -1) { append(code >> bit & 1, count: 1) }
    }

    /// Lengths and distances fall into buckets; each doubling has so many, and one more extra bit.
    private static func bucket(_ value: Int, perDoubling: Int) -> (index: Int, extra: Int, rest: Int) {
        guard value >= 2 * perDoubling else { return (value, 0, 0) }
        let top = Int.bitWidth - 1 - value.leadingZeroBitCount
        let width = perDoubling.trailingZeroBitCount
        let extra = top - width
        return (extra * perDoubling + (value >> extra), extra, value & ((1 << extra) - 1))
    }
}

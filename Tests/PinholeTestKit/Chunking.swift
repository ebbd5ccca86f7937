/// Ways to cut a stream of bytes, so that a test can show that the cuts do not matter.
package enum Chunking {
    /// The sizes that each engine is fed with: every byte alone, small primes, and all at once.
    package static let sizes = [1, 2, 3, 7, 4096]

    /// Cuts `bytes` into chunks of `size`, the last of which may be shorter.
    package static func chunks(of bytes: [UInt8], size: Int) -> [[UInt8]] {
        precondition(size > 0, "a chunk holds at least one byte")
        return stride(from: 0, to: bytes.count, by: size).map { start in
            Array(bytes[start..<min(start + size, bytes.count)])
        }
    }

    /// Cuts `bytes` at random places, the same ones for the same generator.
    package static func chunks(
        of bytes: [UInt8],
        upTo largest: Int,
        using random: inout some RandomNumberGenerator
    ) -> [[UInt8]] {
        precondition(largest > 0, "a chunk holds at least one byte")
        var chunks: [[UInt8]] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let size = Int.random(in: 1...largest, using: &random)
            chunks.append(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        return chunks
    }

    /// Feeds `bytes` to `receive` in chunks of `size`.
    package static func feed<Failure: Error>(
        _ bytes: [UInt8],
        size: Int,
        to receive: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        for chunk in chunks(of: bytes, size: size) { try receive(chunk) }
    }
}

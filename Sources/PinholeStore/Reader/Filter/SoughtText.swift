import PinholeModel

/// A text that is looked for in many, letters of ASCII in any case.
///
/// Sixteen places are looked at together, for its first byte and its last one, so that what it is made of hardly
/// matters: LIKE takes twice as long for one that begins with a sign that is everywhere, such as a slash.
final class SoughtText {
    /// The text in lower case.
    let bytes: [UInt8]
    private let first: ByteRow
    private let last: ByteRow

    init(_ bytes: [UInt8]) {
        self.bytes = bytes.map(CaseFolding.lower)
        first = ByteRow(self.bytes.first ?? 0)
        last = ByteRow(self.bytes.last ?? 0)
    }

    /// Whether it is in the text.
    func isIn(_ text: UnsafeRawBufferPointer) -> Bool {
        guard !bytes.isEmpty else { return true }
        let places = text.count - bytes.count + 1
        guard places >= 16 else {
            var place = 0
            while place < places {
                if first.matches(text[place]), stands(bytes.indices, in: text, at: place) { return true }
                place += 1
            }
            return false
        }
        var place = 0
        while place < places {
            // Some of the last sixteen may have been looked at before.
            place = min(place, places - 16)
            let hits = first.hits(text, at: place) & last.hits(text, at: place + bytes.count - 1)
            if Self.isAny(hits) {
                for offset in 0..<16 where hits[offset] != 0 {
                    if stands(bytes.indices, in: text, at: place + offset) { return true }
                }
            }
            place += 16
        }
        return false
    }

    /// Whether any is not 0; what the standard library has for it looks at one after the other.
    @inline(__always)
    private static func isAny(_ hits: SIMD16<Int8>) -> Bool {
        let halves = unsafeBitCast(hits, to: SIMD2<UInt64>.self)
        return halves[0] | halves[1] != 0
    }

    /// Whether a part of it stands at a place of the text.
    func stands(_ part: Range<Int>, in text: UnsafeRawBufferPointer, at place: Int) -> Bool {
        guard place >= 0, text.count - place >= part.count else { return false }
        let start = place - part.lowerBound
        for index in part where CaseFolding.lower(text[start + index]) != bytes[index] { return false }
        return true
    }

    /// A byte sixteen times, to be compared with as many.
    private struct ByteRow {
        private let bytes: SIMD16<UInt8>
        /// The bit in which the cases of a letter differ; none where it is no letter.
        private let difference: SIMD16<UInt8>

        init(_ lower: UInt8) {
            bytes = SIMD16(repeating: lower)
            difference = SIMD16(repeating: (0x61...0x7a).contains(lower) ? 0x20 : 0)
        }

        /// All bits of each place where the byte is.
        @inline(__always)
        func hits(_ text: UnsafeRawBufferPointer, at place: Int) -> SIMD16<Int8> {
            let found = text.loadUnaligned(fromByteOffset: place, as: SIMD16<UInt8>.self) | difference
            return unsafeBitCast(found .== bytes, to: SIMD16<Int8>.self)
        }

        func matches(_ byte: UInt8) -> Bool { byte | difference[0] == bytes[0] }
    }
}

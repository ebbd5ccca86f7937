/// Searches texts for a sequence of bytes, each of a set, and skips most bytes of a text (Horspool's method).
///
/// Most patterns are words. A search through gigabytes of bodies for one of them is several times faster so.
package struct SequenceSearch: Sendable {
    private let sets: [ByteSet]
    /// The number of places by which the sequence may move, by the byte under its last place.
    private let skips: [Int]
    /// Whether a byte can be the last of the sequence.
    private let ends: [Bool]

    /// Creates the search for a text, with ASCII letters in any case; `nil` for an empty one.
    package init?(_ text: [UInt8]) { self.init(text.map { ByteSet($0...$0).ignoringCase }) }

    /// Creates the search for a sequence of bytes, each of one of `sets`; `nil` for an empty one.
    package init?(_ sets: [ByteSet]) {
        guard let last = sets.last else { return nil }
        var skips = [Int](repeating: sets.count, count: 256)
        for (place, set) in sets.dropLast().enumerated() {
            for byte in set.bytes { skips[Int(byte)] = sets.count - 1 - place }
        }
        self.sets = sets
        self.skips = skips
        ends = (UInt8.min...UInt8.max).map(last.contains)
    }

    /// Whether the sequence is somewhere in `text`.
    package func isFound(in text: [UInt8]) -> Bool {
        let (bytes, skips, ends) = (text.span, skips.span, ends.span)
        var place = sets.count - 1
        while place < bytes.count {
            let byte = Int(bytes[place])
            if ends[byte], stands(in: bytes, endingAt: place) { return true }
            place += skips[byte]
        }
        return false
    }

    private func stands(in bytes: Span<UInt8>, endingAt end: Int) -> Bool {
        let start = end - sets.count + 1
        for (place, set) in sets.enumerated() where !set.contains(bytes[start + place]) { return false }
        return true
    }
}

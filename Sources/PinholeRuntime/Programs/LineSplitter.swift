/// Collects bytes and returns whole lines.
struct LineSplitter {
    /// A line exceeds the limit.
    struct TooLong: Error {}

    /// The length limit of a line in bytes.
    let limit: Int
    private var begun: [UInt8] = []

    init(limit: Int) { self.limit = limit }

    /// Adds bytes.
    ///
    /// - Parameter bytes: The received bytes.
    /// - Returns: The lines that are now complete, without their ends.
    /// - Throws: ``TooLong`` when a line exceeds the limit; previous lines of this call are lost.
    mutating func take(_ bytes: some Collection<UInt8>) throws(TooLong) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var rest = bytes[...]
        while let end = rest.firstIndex(of: 0x0a) {
            begun.append(contentsOf: rest[..<end])
            if begun.last == 0x0d { begun.removeLast() }
            lines.append(begun)
            begun = []
            rest = rest[rest.index(after: end)...]
        }
        begun.append(contentsOf: rest)
        guard begun.count <= limit else { throw TooLong() }
        return lines
    }
}

/// Takes bytes as they come, and hands out whole lines.
struct LineSplitter {
    /// Why bytes are no lines.
    struct TooLong: Error {}

    /// The longest line.
    let limit: Int
    private var begun: [UInt8] = []

    init(limit: Int) { self.limit = limit }

    /// Takes bytes.
    ///
    /// - Parameter bytes: What came.
    /// - Returns: The lines that came to their end, without it.
    /// - Throws: ``TooLong`` where a line has no end for too long; lines before it are lost.
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

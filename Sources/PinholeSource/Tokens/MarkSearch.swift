/// Finds any of several texts in the bytes of a file, in one pass.
package struct MarkSearch: Sendable {
    private struct Mark: Sendable {
        let bytes: [UInt8]
        let index: Int
    }

    /// The marks by their first two bytes.
    private var marks: [[Mark]]
    /// The place of a pair of bytes among the marks; 0 for most pairs.
    private var places: [UInt16]

    /// Creates a search.
    ///
    /// - Parameter texts: The texts, of two bytes or more.
    package init(_ texts: [String]) {
        marks = [[]]
        places = [UInt16](repeating: 0, count: 1 << 16)
        for (index, text) in texts.enumerated() {
            let bytes = Array(text.utf8)
            guard bytes.count >= 2 else { continue }
            let pair = Int(bytes[0]) << 8 | Int(bytes[1])
            if places[pair] == 0 {
                places[pair] = UInt16(marks.count)
                marks.append([])
            }
            marks[Int(places[pair])].append(Mark(bytes: bytes, index: index))
        }
    }

    /// Whether one of the texts occurs.
    ///
    /// - Parameters:
    ///   - content: The bytes that are searched.
    ///   - accepts: Whether an occurrence counts: gets the index of the text and the place behind it.
    /// - Returns: Whether an occurrence counts.
    package func isIn(_ content: [UInt8], where accepts: (Int, Int) -> Bool = { _, _ in true }) -> Bool {
        guard content.count >= 2 else { return false }
        let (bytes, places) = (content.span, places.span)
        var pair = Int(bytes[0])
        for place in 1..<bytes.count {
            pair = (pair << 8 | Int(bytes[place])) & 0xffff
            let group = Int(places[pair])
            guard group > 0 else { continue }
            let start = place - 1
            for mark in marks[group] where Self.isPrefix(mark.bytes, of: bytes, at: start) {
                if accepts(mark.index, start + mark.bytes.count) { return true }
            }
        }
        return false
    }

    private static func isPrefix(_ mark: [UInt8], of bytes: borrowing Span<UInt8>, at start: Int) -> Bool {
        guard start + mark.count <= bytes.count else { return false }
        for distance in 2..<max(2, mark.count) where bytes[start + distance] != mark[distance] {
            return false
        }
        return true
    }
}

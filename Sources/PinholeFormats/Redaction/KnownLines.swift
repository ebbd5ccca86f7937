import PinholeModel

/// The findings in lines of heads, most of which come again and again.
struct KnownLines<Found: Sendable>: Sendable {
    private struct Line: Hashable {
        let bytes: ArraySlice<UInt8>

        // A slice compares and hashes its bytes one by one.
        static func == (one: Line, other: Line) -> Bool { one.bytes.span.isEqual(to: other.bytes.span) }

        func hash(into hasher: inout Hasher) { bytes.withUnsafeBytes { hasher.combine(bytes: $0) } }
    }

    private var found: [Line: Found] = [:]

    /// The number of lines that are remembered, about 4 MiB; then all are forgotten.
    private static var most: Int { 1 << 15 }
    /// The length of the longest line that is remembered.
    private static var longest: Int { 512 }

    /// The findings in a line; `nil` if the line is not known.
    subscript(line: ArraySlice<UInt8>) -> Found? {
        get { line.count <= Self.longest ? found[Line(bytes: line)] : nil }
        set {
            guard line.count <= Self.longest else { return }
            if found.count >= Self.most { found.removeAll(keepingCapacity: true) }
            // The slice would keep its whole head.
            found[Line(bytes: Array(line)[...])] = newValue
        }
    }
}

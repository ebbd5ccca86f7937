/// Finds many byte strings in content at once.
package struct ByteSearch: Sendable {
    /// A place at which one of the strings was found.
    package struct Match: Sendable, Equatable {
        /// The place.
        package let range: Range<Int>
        /// The number of the string, in the order in which the strings were given.
        package let pattern: Int
    }

    /// The length of the shortest string that can be found; anything shorter would be found everywhere.
    package static let shortest = 4

    private let patterns: [[UInt8]]
    /// The numbers of the strings by their first four bytes, longest first.
    private let byStart: [UInt32: [Int]]
    /// A bit for each pair of first bytes, which rules out most places.
    private var starts = [UInt64](repeating: 0, count: 1024)

    /// Prepares a search; strings that are too short are never found.
    package init(_ patterns: [[UInt8]]) {
        self.patterns = patterns
        var byStart: [UInt32: [Int]] = [:]
        for (index, pattern) in patterns.enumerated() where pattern.count >= Self.shortest {
            byStart[Self.word(pattern, 0), default: []].append(index)
            let pair = Int(pattern[0]) << 8 | Int(pattern[1])
            starts[pair >> 6] |= 1 << UInt64(pair & 63)
        }
        self.byStart = byStart.mapValues { $0.sorted { patterns[$0].count > patterns[$1].count } }
    }

    /// Whether there is nothing to find.
    package var isEmpty: Bool { byStart.isEmpty }

    /// Returns the matches in order; where several begin, the longest counts, and none overlaps another.
    package func matches(in content: [UInt8]) -> [Match] {
        guard !isEmpty, content.count >= Self.shortest else { return [] }
        var matches: [Match] = []
        var position = 0
        let span = content.span
        while position <= span.count - Self.shortest {
            let pair = Int(span[position]) << 8 | Int(span[position + 1])
            guard starts[pair >> 6] & 1 << UInt64(pair & 63) != 0,
                let candidates = byStart[Self.word(content, position)],
                let found = candidates.first(where: { content[position...].starts(with: patterns[$0]) })
            else {
                position += 1
                continue
            }
            let end = position + patterns[found].count
            matches.append(Match(range: position..<end, pattern: found))
            position = end
        }
        return matches
    }

    private static func word(_ bytes: [UInt8], _ start: Int) -> UInt32 {
        UInt32(bytes[start]) << 24 | UInt32(bytes[start + 1]) << 16 | UInt32(bytes[start + 2]) << 8
            | UInt32(bytes[start + 3])
    }
}

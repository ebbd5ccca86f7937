/// The distance of one word from another, and the nearest word of several.
package enum EditDistance {
    /// Returns the number of letters to insert, drop, replace or swap with a neighbour; their case does not matter.
    package static func between(_ left: String, _ right: String) -> Int {
        let left = Array(left.lowercased())
        let right = Array(right.lowercased())
        var rows = [Array(0...right.count)]
        for i in left.indices {
            var row = [i + 1]
            for j in right.indices {
                var best = min(rows[i][j + 1], row[j]) + 1
                best = min(best, rows[i][j] + (left[i] == right[j] ? 0 : 1))
                if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                    best = min(best, rows[i - 1][j - 1] + 1)
                }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[left.count][right.count]
    }

    /// The longest word that is compared, in characters, because the time grows with the length.
    private static let longest = 64

    /// Returns the word of `known` that was most likely meant by `word`; `nil` if none is near.
    package static func nearest(to word: String, in known: some Sequence<String>) -> String? {
        guard word.utf8.count <= longest * 4, word.count <= longest else { return nil }
        let ranked = known.map { (word: $0, distance: between(word, $0)) }
        let best = ranked.min { ($0.distance, $0.word) < ($1.distance, $1.word) }
        // A third of the letters, but at least one: `lst` for `list`, `minmum` for `minimum`.
        guard let best, best.distance <= max(1, best.word.count / 3), best.distance < best.word.count else {
            return nil
        }
        return best.word
    }
}

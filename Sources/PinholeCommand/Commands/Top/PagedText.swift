/// Lines that a user scrolls and searches.
struct PagedText: Equatable, Sendable {
    /// A row on the screen: a line, or a piece of one.
    private struct Row: Equatable, Sendable {
        let source: Int
        let start: Int
        let line: StyledLine
    }

    /// A place where the searched text stands.
    private struct Match: Equatable, Sendable {
        let source: Int
        let range: Range<Int>
    }

    private var lines: [StyledLine] = []
    private var rows: [Row] = []
    private var width = 80
    private var matches: [Match] = []
    private var current = 0
    /// The text that is searched; empty for none.
    private(set) var wanted = ""
    /// The first row on the screen.
    private(set) var offset = 0
    /// The number of rows on the screen.
    private(set) var height = 1

    /// The number of rows of the whole text.
    var count: Int { rows.count }

    /// The position of the match on the screen among all matches; `nil` without any.
    var position: (number: Int, count: Int)? { matches.isEmpty ? nil : (current + 1, matches.count) }

    /// Whether the end of the text is on the screen.
    var isAtEnd: Bool { offset + height >= rows.count }

    /// Replaces the text; the place on the screen stays.
    mutating func replace(with lines: [StyledLine]) {
        guard lines != self.lines else { return }
        self.lines = lines
        layOut()
        find()
    }

    /// Sets the size of the screen.
    mutating func resize(width: Int, height: Int) {
        self.height = max(1, height)
        if width != self.width {
            self.width = width
            let source = rows.indices.contains(offset) ? rows[offset].source : 0
            layOut()
            offset = rows.firstIndex { $0.source >= source } ?? 0
        }
        scroll(by: 0)
    }

    /// Moves the screen.
    mutating func scroll(by distance: Int) { scroll(to: offset + distance) }

    /// Moves the screen to a row.
    mutating func scroll(to row: Int) { offset = max(0, min(row, rows.count - height)) }

    /// Searches a text without regard to case, and shows the first match from here on.
    mutating func search(_ text: String) {
        wanted = text
        find()
        let here = rows.indices.contains(offset) ? rows[offset] : nil
        current =
            matches.firstIndex { match in
                here.map { (match.source, match.range.lowerBound) >= ($0.source, $0.start) } ?? true
            } ?? 0
        reveal()
    }

    /// Shows the next match, or the one before; behind the last one comes the first.
    mutating func step(_ distance: Int) {
        guard !matches.isEmpty else { return }
        current = (current + distance + matches.count) % matches.count
        reveal()
    }

    /// The rows on the screen, with the matches marked.
    var shown: [StyledLine] {
        rows[min(offset, rows.count)..<min(rows.count, offset + height)].map { row in
            let ranges = matches.filter { $0.source == row.source }.map { match in
                match.range.lowerBound - row.start..<match.range.upperBound - row.start
            }
            return ranges.isEmpty ? row.line : row.line.marking(ranges)
        }
    }

    private mutating func layOut() {
        rows = lines.enumerated().flatMap { index, line in
            line.wrapped(width).map { Row(source: index, start: $0.start, line: $0.line) }
        }
        scroll(by: 0)
    }

    private mutating func find() {
        matches = []
        current = 0
        let wanted = wanted.map(Self.folded)
        guard !wanted.isEmpty else { return }
        for (source, line) in lines.enumerated() where line.elements.count >= wanted.count {
            let characters = line.elements.map { Self.folded($0.character) }
            var start = 0
            while start + wanted.count <= characters.count {
                if characters[start..<start + wanted.count].elementsEqual(wanted) {
                    matches.append(Match(source: source, range: start..<start + wanted.count))
                    start += wanted.count
                } else {
                    start += 1
                }
            }
        }
    }

    private static func folded(_ character: Character) -> String { character.lowercased() }

    private mutating func reveal() {
        guard matches.indices.contains(current) else { return }
        let match = matches[current]
        let row = rows.lastIndex { $0.source == match.source && $0.start <= match.range.lowerBound } ?? 0
        if row < offset || row >= offset + height { scroll(to: row - height / 3) }
    }
}

/// The columns of the list for a width of the terminal.
struct TopColumns: Equatable, Sendable {
    /// A fact of the items, and the room for it.
    struct Column: Equatable, Sendable {
        let kind: TopSort
        let width: Int
    }

    /// The columns, from left to right, one space between them.
    let columns: [Column]

    /// Chooses the columns: host and path get what is left; other columns go where there is too little for them.
    init(width: Int) {
        var fixed: [(kind: TopSort, width: Int, from: Int)] = [
            (.time, 8, 60), (.method, width < 100 ? 6 : 7, 0), (.status, 7, 0),
            (.type, 6, 90), (.size, 8, 50), (.duration, 8, 66),
        ]
        if width >= 120 { fixed.insert((.number, 7, 120), at: 0) }
        let shown = fixed.filter { width >= $0.from }
        // The mark and the space behind it, and a space behind each column.
        let rest = max(12, width - 2 - shown.reduce(0) { $0 + $1.width + 1 } - 1)
        let host = min(40, max(6, rest * 2 / 5))
        let path = Column(kind: .path, width: rest - host)
        var columns = shown.map { Column(kind: $0.kind, width: $0.width) }
        let place = columns.firstIndex { [.type, .size, .duration].contains($0.kind) } ?? columns.count
        columns.insert(contentsOf: [Column(kind: .host, width: host), path], at: place)
        self.columns = columns
    }
}

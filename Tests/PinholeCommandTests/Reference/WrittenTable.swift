/// A table that a page has by hand.
struct WrittenTable {
    let columns: [String]
    let rows: [[String]]

    /// The tables of a page, in their order.
    static func all(of path: String) throws -> [WrittenTable] {
        var tables: [WrittenTable] = []
        var lines = try RepositoryPages.lines(of: path)[...]
        while let start = lines.firstIndex(where: { $0.hasPrefix("|") }) {
            let table = lines[start...].prefix { $0.hasPrefix("|") }
            if table.count > 2 {
                tables.append(
                    WrittenTable(
                        columns: cells(of: table[start]),
                        rows: table.dropFirst(2).map(cells)
                    )
                )
            }
            lines = lines[table.endIndex...]
        }
        return tables
    }

    /// The cells of a row, where a bar behind a backslash is a part of a cell.
    private static func cells(of row: String) -> [String] {
        row.replacing("\\|", with: "\u{0}").split(separator: "|", omittingEmptySubsequences: false)
            .dropFirst().dropLast()
            .map { cell in
                String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
                    .replacing("\u{0}", with: "|")
            }
    }
}

extension String {
    /// The texts between back quotes.
    var codes: [String] { matches(of: /`([^`]+)`/).map { String($0.output.1) } }
}

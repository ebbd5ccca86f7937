import PinholeModel

/// The cells of a screen.
struct ScreenGrid: Equatable, Sendable {
    /// A place for a character, which may take the next place, too.
    struct Cell: Equatable, Sendable {
        /// The character; `nil` where the wide character before it reaches to.
        var character: Character?
        var style: CellStyle

        static let empty = Cell(character: " ", style: .plain)
    }

    let width: Int
    let height: Int
    /// The place of the cursor; `nil` if it is hidden.
    var cursor: (row: Int, column: Int)?
    private var cells: [Cell]

    init(width: Int, height: Int) {
        self.width = max(0, width)
        self.height = max(0, height)
        cells = Array(repeating: .empty, count: self.width * self.height)
    }

    func row(_ row: Int) -> ArraySlice<Cell> { cells[row * width..<(row + 1) * width] }

    /// The rows as text, without the spaces at their ends.
    var lines: [String] {
        (0..<height).map { row in
            let text = String(self.row(row).compactMap(\.character))
            return String(text.reversed().drop { $0 == " " }.reversed())
        }
    }

    /// Writes a line, as far as it fits.
    ///
    /// - Parameters:
    ///   - line: The line.
    ///   - row: The row; one outside of the screen is ignored.
    ///   - column: The first column.
    ///   - limit: The columns that the line may take; `nil` for all up to the end of the row.
    mutating func write(_ line: StyledLine, row: Int, column: Int = 0, limit: Int? = nil) {
        guard 0..<height ~= row, column >= 0 else { return }
        let end = min(width, column + (limit ?? width))
        var column = column
        for element in line.elements {
            let count = TextColumns.width(of: element.character)
            // A mark without a character before it takes no place of its own.
            guard count > 0 else { continue }
            guard column + count <= end else { return }
            cells[row * width + column] = Cell(character: element.character, style: element.style)
            if count == 2 {
                cells[row * width + column + 1] = Cell(character: nil, style: element.style)
            }
            column += count
        }
    }

    /// Writes text of one look, as far as it fits.
    mutating func write(
        _ text: some StringProtocol,
        _ style: CellStyle = .plain,
        row: Int,
        column: Int = 0,
        limit: Int? = nil
    ) {
        write(StyledLine(text, style), row: row, column: column, limit: limit)
    }

    /// Gives a whole row a look, whose colours stay where it has none.
    mutating func reverse(row: Int) {
        guard 0..<height ~= row else { return }
        for index in row * width..<(row + 1) * width { cells[index].style.isReversed = true }
    }

    static func == (left: ScreenGrid, right: ScreenGrid) -> Bool {
        left.width == right.width && left.height == right.height && left.cells == right.cells
            && left.cursor.map { [$0.row, $0.column] } == right.cursor.map { [$0.row, $0.column] }
    }
}

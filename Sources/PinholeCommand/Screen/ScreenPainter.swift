import PinholeModel

/// Turns a screen into the bytes that show it in a terminal; it writes only what has changed.
///
/// The sequences are those of ECMA-48 that every terminal since the VT220 knows, besides the alternate screen, which a
/// terminal without one ignores.
struct ScreenPainter {
    /// Whether colours are written; bold and reversed text is shown in any case.
    let isColourful: Bool
    /// Whether the terminal shows UTF-8; else a stand-in of ASCII is written for every other character.
    let isUTF8: Bool

    private var shown: ScreenGrid?
    private var output = ""
    private var style = CellStyle.plain

    /// Creates a painter for an unknown screen.
    init(isColourful: Bool, isUTF8: Bool) {
        self.isColourful = isColourful
        self.isUTF8 = isUTF8
    }

    /// The bytes that open the alternate screen, where a paste is told from keys.
    static let opening = Array("\u{1b}[?1049h\u{1b}[?2004h\u{1b}[?25l\u{1b}[0m\u{1b}[2J".utf8)
    /// The bytes that restore what the terminal showed, without memory that a signal handler would have to allocate.
    static let closing: StaticString = "\u{1b}[0m\u{1b}[?2004l\u{1b}[?25h\u{1b}[?1049l"

    /// The largest text that terminals take into their clipboard, in bytes: 100,000 of Base64.
    static let clipboardLimit = 74_994

    /// Returns the bytes that put a text into the clipboard of the user's own machine (OSC 52).
    static func clipboard(_ text: String) -> [UInt8] {
        Array("\u{1b}]52;c;\(Base64.encode(Array(text.utf8)))\u{07}".utf8)
    }

    /// Forgets what the terminal shows, so that everything is painted again.
    mutating func forget() { shown = nil }

    /// Returns the bytes that turn what the terminal shows into a screen.
    mutating func paint(_ grid: ScreenGrid) -> [UInt8] {
        output = "\u{1b}[?25l"
        style = .plain
        output += "\u{1b}[0m"
        let isSame = shown?.width == grid.width && shown?.height == grid.height
        if !isSame { output += "\u{1b}[2J" }
        for row in 0..<grid.height {
            let before = isSame ? shown?.row(row) : nil
            if before != grid.row(row) { paint(grid.row(row), instead: before, row) }
        }
        set(.plain)
        if let cursor = grid.cursor { output += "\u{1b}[\(cursor.row + 1);\(cursor.column + 1)H\u{1b}[?25h" }
        shown = grid
        return Array(output.utf8)
    }

    private mutating func paint(
        _ cells: ArraySlice<ScreenGrid.Cell>,
        instead before: ArraySlice<ScreenGrid.Cell>?,
        _ row: Int
    ) {
        // The column at which the terminal writes next, if that is certain.
        var column: Int?
        for (index, cell) in cells.enumerated() {
            guard let character = cell.character else { continue }
            if let before, before[before.startIndex + index] == cell { continue }
            if column != index { output += "\u{1b}[\(row + 1);\(index + 1)H" }
            set(cell.style)
            let width = TextColumns.width(of: character)
            output += text(of: character, width)
            // Terminals differ in the width of pictures and of joined characters.
            column = character.isASCII ? index + width : nil
        }
    }

    private func text(of character: Character, _ width: Int) -> String {
        if isUTF8 || character.isASCII { return String(character) }
        let instead = Self.plainForms[character] ?? "?"
        return instead + String(repeating: " ", count: width - 1)
    }

    private static let plainForms: [Character: String] = [
        "…": "~", "“": "\"", "”": "\"", "→": ">", "←": "<", "·": "-", "─": "-", "▲": "^", "▼": "v",
    ]

    private mutating func set(_ wanted: CellStyle) {
        guard wanted != style else { return }
        style = wanted
        var codes = ["0"]
        if wanted.isBold { codes.append("1") }
        if let colour = wanted.colour, isColourful || colour == .bold { codes.append(colour.rawValue) }
        if wanted.isReversed { codes.append("7") }
        output += "\u{1b}[\(codes.joined(separator: ";"))m"
    }
}

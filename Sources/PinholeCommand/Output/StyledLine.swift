import PinholeModel

/// A line of text whose characters have a look.
///
/// All text becomes printable here, so no control character of a peer can reach the terminal.
struct StyledLine: Equatable, Sendable {
    /// A character and its look.
    struct Element: Equatable, Sendable {
        let character: Character
        var style: CellStyle
    }

    /// The characters, each of them printable.
    private(set) var elements: [Element] = []

    init() {}

    init(_ text: some StringProtocol, _ style: CellStyle = .plain) { add(text, style) }

    /// Creates a line from text that ``Style`` has painted.
    init(painted text: some StringProtocol) {
        for (part, colour) in Style.parts(of: text) {
            add(part, colour == .bold ? .bold : CellStyle(colour: colour))
        }
    }

    private init(_ elements: some Sequence<Element>) { self.elements = Array(elements) }

    /// Appends text.
    mutating func add(_ text: some StringProtocol, _ style: CellStyle = .plain) {
        for character in TerminalText.line(String(text)) {
            elements.append(Element(character: character, style: style))
        }
    }

    /// Appends another line.
    mutating func add(_ line: StyledLine) { elements += line.elements }

    /// The characters without their look.
    var text: String { String(elements.map(\.character)) }

    /// Returns the characters with the escapes for their look, as a line of ordinary output.
    func painted(_ style: Style) -> String {
        guard style.isColourful else { return text }
        var painted = ""
        var rest = elements[...]
        while let look = rest.first?.style {
            let run = rest.prefix { $0.style == look }
            let text = String(run.map(\.character))
            let colour = look.colour ?? (look.isBold ? .bold : nil)
            painted += colour.map { style.paint(text, $0) } ?? text
            rest = rest.dropFirst(run.count)
        }
        return painted
    }

    /// The number of columns that the line takes.
    var columns: Int { elements.reduce(0) { $0 + TextColumns.width(of: $1.character) } }

    /// Returns the line in pieces of at most `width` columns, each with the index of its first character.
    ///
    /// A piece ends behind a space in its second half, or else at the width, as in a body that has no spaces.
    func wrapped(_ width: Int) -> [(start: Int, line: StyledLine)] {
        let width = max(1, width)
        guard elements.count > width / 2, columns > width else { return [(0, self)] }
        var pieces: [(start: Int, line: StyledLine)] = []
        var start = 0
        while start < elements.count {
            let end = end(from: start, width)
            pieces.append((start, StyledLine(elements[start..<end])))
            start = end
        }
        return pieces
    }

    private func end(from start: Int, _ width: Int) -> Int {
        var (end, used) = (start, 0)
        while end < elements.count {
            used += TextColumns.width(of: elements[end].character)
            if used > width, end > start { break }
            end += 1
        }
        guard end < elements.count else { return end }
        let middle = start + (end - start) / 2
        return elements[middle..<end].lastIndex { $0.character == " " }.map { $0 + 1 } ?? end
    }

    /// Returns the line with another look for some characters.
    func marking(_ ranges: [Range<Int>]) -> StyledLine {
        var line = self
        for index in ranges.joined() where line.elements.indices.contains(index) {
            line.elements[index].style.isReversed.toggle()
        }
        return line
    }
}

import PinholeModel

/// A text of one line that a user edits.
struct LineEditor: Equatable, Sendable {
    private(set) var characters: [Character]
    /// The number of characters before the cursor.
    private(set) var position: Int

    /// The most characters that a user can enter.
    private static let limit = 4000

    /// Creates an editor with the cursor behind the text.
    init(_ text: String = "") {
        characters = Array(text)
        position = characters.count
    }

    /// The characters as they stand now, without the cursor.
    var text: String { String(characters) }

    /// Takes a key.
    ///
    /// - Returns: Whether the text has changed.
    mutating func take(_ key: Key) -> Bool {
        let before = characters
        switch key {
        case .character(let character): insert([character])
        case .pasted(let text): insert(Array(text.filter { !$0.isNewline && $0 != "\u{1b}" }))
        case .backspace where position > 0:
            position -= 1
            characters.remove(at: position)
        case .delete where position < characters.count, .control("d") where position < characters.count:
            characters.remove(at: position)
        case .left, .control("b"): position = max(0, position - 1)
        case .right, .control("f"): position = min(characters.count, position + 1)
        case .home, .control("a"): position = 0
        case .end, .control("e"): position = characters.count
        case .control("u"):
            characters.removeSubrange(..<position)
            position = 0
        case .control("k"): characters.removeSubrange(position...)
        case .control("w"): removeWord()
        default: break
        }
        return characters != before
    }

    /// Returns the part of the text that fits in a number of columns, with the cursor in it.
    func window(_ width: Int) -> (text: String, cursor: Int) {
        let before = TerminalText.line(String(characters[..<position]))
        let after = TerminalText.line(String(characters[position...]))
        let shown = String(TextColumns.suffix(before, max(0, width - 1)))
        let cursor = TextColumns.count(shown)
        return (shown + TextColumns.prefix(after, max(0, width - cursor)), cursor)
    }

    private mutating func insert(_ text: [Character]) {
        let text = text.prefix(max(0, Self.limit - characters.count))
        characters.insert(contentsOf: text, at: position)
        position += text.count
    }

    private mutating func removeWord() {
        let start = position
        while position > 0, characters[position - 1] == " " { position -= 1 }
        while position > 0, characters[position - 1] != " " { position -= 1 }
        characters.removeSubrange(position..<start)
    }
}

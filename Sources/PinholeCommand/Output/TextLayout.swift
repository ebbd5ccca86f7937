import PinholeModel

/// Text in fields and lines of a given width.
enum TextLayout {
    /// Returns `text` in a field of `width` columns; a longer text ends with an ellipsis.
    static func fit(_ text: String, _ width: Int, right: Bool = false) -> String {
        var text = text
        if columns(of: text) > width { text = TextColumns.prefix(text, max(0, width - 1)) + "…" }
        return right ? text.leftPadded(to: width) : text.padded(to: width)
    }

    /// Replaces the middle of a text longer than `width` by an ellipsis, since both ends of a URL say most.
    static func middle(_ text: String, _ width: Int) -> String {
        guard columns(of: text) > width else { return text }
        let tail = max(0, (width - 1) / 3)
        return TextColumns.prefix(text, max(0, width - 1 - tail)) + "…" + TextColumns.suffix(text, tail)
    }

    /// Returns `text` in lines of at most `width` columns, broken at spaces and commas, or within a longer word.
    static func wrap(_ text: String, _ width: Int) -> [String] {
        var lines: [String] = []
        for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
            var rest = paragraph
            while columns(of: rest) > width {
                let fitting = TextColumns.prefix(rest, width).endIndex
                // The character after the last one that fits may be a space.
                let window = rest[...fitting]
                let space = window.lastIndex { $0 == " " }
                let comma = window.dropLast().lastIndex { $0 == "," }.map { rest.index(after: $0) }
                let cut = [space, comma].compactMap(\.self).max() ?? rest.startIndex
                let end = cut > rest.startIndex ? cut : max(fitting, rest.index(after: rest.startIndex))
                lines.append(String(rest[..<end]))
                rest = rest[end...].drop { $0 == " " }
            }
            if !rest.isEmpty || paragraph.isEmpty { lines.append(String(rest)) }
        }
        return lines
    }

    /// Wraps the lines of a text for users at spaces, and keeps the spaces between its columns.
    ///
    /// A remedy stays in one line, since users copy its command.
    ///
    /// - Parameters:
    ///   - text: The text, with its colours.
    ///   - width: The columns of the terminal; `nil` to wrap nothing. A longer word or command stays whole.
    ///   - hang: The columns before the further pieces of a line; `nil` for those before its text, behind its label.
    /// - Returns: The text.
    static func hanging(_ text: String, _ width: Int?, hang: Int? = nil) -> String {
        guard let width, columns(of: text) > width else { return text }
        return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            columns(of: line) <= width || isRemedy(line) ? String(line) : wrapped(line, width, hang)
        }.joined(separator: "\n")
    }

    private static func isRemedy(_ line: Substring) -> Bool {
        line.drop { $0 == " " }.hasPrefix("to fix it: ")
    }

    private static func wrapped(_ line: Substring, _ width: Int, _ hang: Int?) -> String {
        let indent = line.prefix { $0 == " " }.count
        let hang = min(hang ?? labelWidth(of: line) ?? indent + 2, width / 2)
        var text = ""
        var (used, gap) = (0, 0)
        for (index, word) in pieces(of: line).enumerated() {
            if index > 0 { gap += 1 }
            guard !word.isEmpty else { continue }
            let count = columns(of: word)
            // A label keeps the first word beside it, however long that is.
            if used > hang, used + gap + count > width {
                text += "\n" + String(repeating: " ", count: hang)
                (used, gap) = (hang, 0)
            }
            text += String(repeating: " ", count: gap) + word
            used += gap + count
            gap = 0
        }
        return text
    }

    /// Returns the words of a line, empty ones included; a command stays in one piece, since users copy it.
    private static func pieces(of line: Substring) -> [String] {
        var pieces: [String] = []
        var command: CommandWords?
        for word in line.split(separator: " ", omittingEmptySubsequences: false) {
            if command?.takes(word) == true {
                pieces[pieces.count - 1] += " " + word
            } else {
                pieces.append(String(word))
                command = CommandWords(word)
            }
        }
        return pieces
    }

    /// Returns the columns before the text of a line that begins with a label and two spaces; `nil` without a label.
    static func labelWidth(of line: some StringProtocol) -> Int? {
        var (count, gap) = (0, 0)
        var isLabel = false
        for character in uncoloured(line) {
            if character != " ", isLabel, gap > 1 { return count }
            isLabel = isLabel || character != " "
            gap = character == " " ? gap + 1 : 0
            count += columns(of: String(character))
        }
        return nil
    }

    /// Returns the number of columns that a text takes; colours take none.
    static func columns(of text: some StringProtocol) -> Int {
        TextColumns.count(text.utf8.contains(0x1b) ? uncoloured(text) : String(text))
    }

    private static func uncoloured(_ text: some StringProtocol) -> String {
        var isColour = false
        return String(
            text.filter { character in
                if character == "\u{1b}" { isColour = true }
                defer { if character == "m" { isColour = false } }
                return !isColour
            }
        )
    }

    /// Returns lines side by side in as many equal columns as fit, read from top to bottom.
    static func sideBySide(_ lines: [String], _ width: Int?) -> [String] {
        let column = (lines.map { columns(of: $0) }.max() ?? 0) + 2
        let count = max(1, ((width ?? 0) + 2) / column)
        let height = (lines.count + count - 1) / count
        return (0..<height).map { row in
            let cells = stride(from: row, to: lines.count, by: height).map { lines[$0] }
            return cells.dropLast().map { $0.padded(to: column) }.joined()
                + (cells.last ?? "")
        }
    }

    /// Fills lines of at most `width` columns with words; only a longer word exceeds the width.
    ///
    /// - Parameters:
    ///   - words: The words.
    ///   - width: The columns.
    ///   - first: The text before the first word.
    ///   - hang: The columns before the other lines.
    ///   - end: The end of each line except the last one.
    /// - Returns: The lines.
    static func fill(
        _ words: [String],
        _ width: Int,
        first: String,
        hang: Int,
        end: String = ""
    ) -> [String] {
        let margin = String(repeating: " ", count: hang)
        var lines: [String] = []
        var line = first
        var isEmpty = true
        for word in words {
            if !isEmpty, columns(of: line) + 1 + columns(of: word) + end.count > width {
                lines.append(line + end)
                (line, isEmpty) = (margin, true)
            }
            line += isEmpty ? word : " " + word
            isEmpty = false
        }
        return lines + [line]
    }

    /// Wraps a command into lines that a shell reads as one command, so that users can copy it.
    static func command(_ line: String, _ width: Int) -> [String] {
        let indent = line.prefix { $0 == " " }.count
        // An option stays beside its value if a line has room for both.
        let room = width - indent - 6
        var words: [String] = []
        for word in self.words(line, opening: "'\"", closing: "'\"", areNested: false) {
            if let last = words.last, last.hasPrefix("-"), !last.contains(" "), !word.hasPrefix("-"),
                columns(of: last) + 1 + columns(of: word) <= room
            {
                words[words.count - 1] += " " + word
            } else {
                words.append(word)
            }
        }
        return fill(words, width, first: String(repeating: " ", count: indent), hang: indent + 4, end: " \\")
    }

    /// Returns the words of a line; text between `opening` and `closing` stays in one piece.
    static func words(
        _ line: String,
        opening: String,
        closing: String,
        areNested: Bool
    ) -> [String] {
        var words: [String] = []
        var word = ""
        var ends: [Character] = []
        for character in line {
            if character == " ", ends.isEmpty {
                if !word.isEmpty { words.append(word) }
                word = ""
                continue
            }
            word.append(character)
            if character == ends.last {
                ends.removeLast()
            } else if ends.isEmpty || areNested,
                let (_, end) = zip(opening, closing).first(where: { $0.0 == character })
            {
                ends.append(end)
            }
        }
        return word.isEmpty ? words : words + [word]
    }
}

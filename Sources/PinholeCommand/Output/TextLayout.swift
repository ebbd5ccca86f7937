/// Text in fields and lines of a given width.
enum TextLayout {
    /// `text` in a field of `width`, cut with an ellipsis where it is longer.
    static func fit(_ text: String, _ width: Int, right: Bool = false) -> String {
        guard text.count <= width else { return text.prefix(max(0, width - 1)) + "…" }
        let space = String(repeating: " ", count: width - text.count)
        return right ? space + text : text + space
    }

    /// Replaces the middle of a text longer than `width` by an ellipsis, since both ends of a URL say most.
    static func middle(_ text: String, _ width: Int) -> String {
        guard text.count > width else { return text }
        let tail = max(0, (width - 1) / 3)
        return text.prefix(max(0, width - 1 - tail)) + "…" + text.suffix(tail)
    }

    /// `text` in lines of at most `width`, broken at spaces and commas, or where it must be.
    static func wrap(_ text: String, _ width: Int) -> [String] {
        var lines: [String] = []
        for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
            var rest = paragraph
            while rest.count > width {
                let window = rest.prefix(width + 1)
                let space = window.lastIndex { $0 == " " }
                let comma = window.dropLast().lastIndex { $0 == "," }.map { rest.index(after: $0) }
                let cut = [space, comma].compactMap(\.self).max() ?? rest.startIndex
                let end = cut > rest.startIndex ? cut : rest.index(rest.startIndex, offsetBy: width)
                lines.append(String(rest[..<end]))
                rest = rest[end...].drop { $0 == " " }
            }
            lines.append(String(rest))
        }
        return lines
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
            if !isEmpty, line.count + 1 + word.count + end.count > width {
                lines.append(line + end)
                (line, isEmpty) = (margin, true)
            }
            line += isEmpty ? word : " " + word
            isEmpty = false
        }
        return lines + [line]
    }

    /// Wraps a command into lines that a shell reads as one command, so that people can copy it.
    static func command(_ line: String, _ width: Int) -> [String] {
        let indent = line.prefix { $0 == " " }.count
        // An option stays beside its value if a line has room for both.
        let room = width - indent - 6
        var words: [String] = []
        for word in self.words(line, opening: "'\"", closing: "'\"", areNested: false) {
            if let last = words.last, last.hasPrefix("-"), !last.contains(" "), !word.hasPrefix("-"),
                last.count + 1 + word.count <= room
            {
                words[words.count - 1] += " " + word
            } else {
                words.append(word)
            }
        }
        return fill(words, width, first: String(repeating: " ", count: indent), hang: indent + 4, end: " \\")
    }

    /// The words of a line; text between `opening` and `closing` stays in one piece.
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

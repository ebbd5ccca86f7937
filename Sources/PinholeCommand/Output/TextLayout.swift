/// Text in fields and lines of a given width.
enum TextLayout {
    /// `text` in a field of `width`, cut with an ellipsis where it is longer.
    static func fit(_ text: String, _ width: Int, right: Bool = false) -> String {
        guard text.count <= width else { return text.prefix(max(0, width - 1)) + "…" }
        let space = String(repeating: " ", count: width - text.count)
        return right ? space + text : text + space
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
}

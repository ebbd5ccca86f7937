/// Text for GitHub-flavoured Markdown.
package enum MarkdownText {
    /// Escapes what Markdown would take for markup or for the end of a cell; ends of lines become spaces.
    package static func escape(_ text: String) -> String {
        var escaped = ""
        // By scalars: a mark that follows makes another Character of a bar, and the bar still ends a cell.
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\", "`", "*", "_", "[", "]", "|", "#", "~": escaped += "\\\(scalar)"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "&": escaped += "&amp;"
            // A name with @ would call somebody.
            case "@": escaped += "&#64;"
            case "\n", "\r", "\t", "\u{85}", "\u{2028}", "\u{2029}":
                escaped += escaped.hasSuffix(" ") ? "" : " "
            default: escaped += (scalar.isUnseen ? "\\" : "") + TerminalText.line(String(scalar))
            }
        }
        return escaped
    }
}

/// Text for GitHub-flavoured Markdown.
package enum MarkdownText {
    /// Escapes markup and the ends of table cells; ends of lines become spaces.
    package static func escape(_ text: String) -> String {
        var escaped = ""
        // Scalars are compared, because a bar and a combining mark form one Character, and still end a cell.
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\", "`", "*", "_", "[", "]", "|", "#", "~": escaped += "\\\(scalar)"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "&": escaped += "&amp;"
            // GitHub would notify a user whose name follows an @.
            case "@": escaped += "&#64;"
            case "\n", "\r", "\t", "\u{85}", "\u{2028}", "\u{2029}":
                escaped += escaped.hasSuffix(" ") ? "" : " "
            default: escaped += (scalar.isUnseen ? "\\" : "") + TerminalText.line(String(scalar))
            }
        }
        return escaped
    }
}

/// Text for Swift source code.
package enum SwiftText {
    /// Returns a string literal with its quotation marks; invisible characters are escaped.
    package static func literal(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            // An escaped backslash cannot begin an interpolation.
            case "\"", "\\": literal += "\\\(scalar)"
            default: literal += TerminalText.line(String(scalar))
            }
        }
        return literal + "\""
    }

    /// Returns a comment that ends with its line.
    package static func comment(_ text: String) -> String { "// \(TerminalText.line(text))" }
}

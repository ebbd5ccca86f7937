/// Text for Swift source code.
package enum SwiftText {
    /// A string literal, its quotation marks included; what cannot be seen is escaped.
    package static func literal(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            // A backslash that is escaped begins no interpolation, either.
            case "\"", "\\": literal += "\\\(scalar)"
            default: literal += TerminalText.line(String(scalar))
            }
        }
        return literal + "\""
    }

    /// A comment that ends with its line.
    package static func comment(_ text: String) -> String { "// \(TerminalText.line(text))" }
}

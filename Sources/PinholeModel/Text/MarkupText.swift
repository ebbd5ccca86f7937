/// Text for XML 1.0 (including property lists) and HTML.
package enum MarkupText {
    /// Escapes a text between tags.
    ///
    /// Control characters, which XML cannot contain, become their pictures. Other invisible characters become
    /// references: a parser reads them unchanged, and a reader of the file sees them.
    package static func escape(_ text: String) -> String { escaped(text, isAttribute: false) }

    /// Escapes the value of an attribute in quotes; ends of lines are preserved.
    package static func attribute(_ text: String) -> String { escaped(text, isAttribute: true) }

    private static func escaped(_ text: String, isAttribute: Bool) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
            case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
            case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
            case "\"" where isAttribute: escaped.append(contentsOf: "&quot;".unicodeScalars)
            case "'" where isAttribute: escaped.append(contentsOf: "&#39;".unicodeScalars)
            case "\n", "\t":
                if isAttribute {
                    escaped.append(contentsOf: "&#\(scalar.value);".unicodeScalars)
                } else {
                    escaped.append(scalar)
                }
            case "\u{0}"..<" ": escaped.append(Unicode.Scalar(0x2400 + scalar.value) ?? replacement)
            case "\u{7f}": escaped.append("\u{2421}")
            case "\u{80}"..."\u{9f}", "\u{fffe}", "\u{ffff}": escaped.append(replacement)
            default:
                if scalar.isUnseen {
                    escaped.append(contentsOf: "&#\(scalar.value);".unicodeScalars)
                } else {
                    escaped.append(scalar)
                }
            }
        }
        return String(escaped)
    }

    private static let replacement: Unicode.Scalar = "\u{fffd}"
}

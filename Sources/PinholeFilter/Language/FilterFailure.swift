import PinholeModel

/// The reason why a text is not a filter: the place, the expectation, the finding, and a remedy.
package struct FilterFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text that was parsed.
    package let source: String
    /// The column of the first wrong character, counted from 1.
    package let column: Int
    /// The expectation, for the message after “expected”.
    package let expected: String
    /// The finding, for the message after “found”.
    package let found: String
    /// The remedy; `nil` if the rest of the message is enough.
    package var remedy: String?
    /// A likely replacement for the word at ``column``; `nil` if no known word is near.
    package var suggestion: String?

    /// The message in one line, without the excerpt.
    package var message: String {
        "column \(column): expected \(expected), found \(found)\(Remedy.clause(remedy))"
    }

    /// The message, followed by the excerpt with a caret.
    package var description: String { ([message] + excerpt).joined(separator: "\n") }

    /// The number of characters of a long filter that the excerpt shows on each side of the place.
    private static let margin = 50

    /// The filter around the place, and a line with a caret below it.
    package var excerpt: [String] {
        let scalars = Array(source.unicodeScalars)
        let place = max(0, min(column - 1, scalars.count))
        let start = max(0, place - Self.margin)
        let end = min(scalars.count, place + Self.margin)
        // A character that cannot be printed must not move the caret, nor reach a terminal.
        let shown = scalars[start..<end].map { $0.isUnseen ? "\u{fffd}" : $0 }
        let lead = start > 0 ? "…" : ""
        let text = lead + String(String.UnicodeScalarView(shown)) + (end < scalars.count ? "…" : "")
        let before = lead + String(String.UnicodeScalarView(shown.prefix(place - start)))
        return ["  " + text, "  " + String(repeating: " ", count: TextColumns.count(before)) + "^"]
    }
}

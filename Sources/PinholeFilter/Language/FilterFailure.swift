import PinholeModel

/// Why a text is no filter: where, what was expected, what came, what to do.
package struct FilterFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was to be parsed.
    package let source: String
    /// The column of the first character that is wrong, counted from 1.
    package let column: Int
    /// What was expected.
    package let expected: String
    /// What came.
    package let found: String
    /// What to do; `nil` where the rest says it.
    package let remedy: String?
    /// What may have been meant, to stand in the place of the word at ``column``; `nil` where nothing is near.
    package let suggestion: String?

    /// Creates a failure.
    package init(
        source: String,
        column: Int,
        expected: String,
        found: String,
        remedy: String? = nil,
        suggestion: String? = nil
    ) {
        self.source = source
        self.column = column
        self.expected = expected
        self.found = found
        self.remedy = remedy
        self.suggestion = suggestion
    }

    /// The sentence, without the lines that show the place.
    package var message: String {
        "column \(column): expected \(expected), found \(found)\(Remedy.clause(remedy))"
    }

    /// The sentence, and below it the place with a caret.
    package var description: String { ([message] + excerpt).joined(separator: "\n") }

    /// Characters that are shown of a long filter, before and after the place.
    private static let margin = 50

    /// The filter around the place, and a line with a caret below it.
    package var excerpt: [String] {
        let scalars = Array(source.unicodeScalars)
        let place = max(0, min(column - 1, scalars.count))
        let start = max(0, place - Self.margin)
        let end = min(scalars.count, place + Self.margin)
        // What is no printable character must not move the caret, nor reach a terminal.
        let shown = scalars[start..<end].map { $0.isUnseen ? "\u{fffd}" : $0 }
        let lead = start > 0 ? "…" : ""
        let text = lead + String(String.UnicodeScalarView(shown)) + (end < scalars.count ? "…" : "")
        let before = lead + String(String.UnicodeScalarView(shown.prefix(place - start)))
        return ["  " + text, "  " + String(repeating: " ", count: TextColumns.count(before)) + "^"]
    }
}

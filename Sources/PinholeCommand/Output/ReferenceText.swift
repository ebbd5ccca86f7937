/// Names with their explanations, as a terminal shows them.
///
/// Explanations are Markdown with code in backticks. They name pages by their path and heading, as messages do. The
/// pages of the documentation take the same texts.
enum ReferenceText {
    /// A name with its explanation.
    struct Entry {
        let name: String
        let meaning: String
    }

    /// Returns the names in one column and the explanations beside them; ``StandardOutput`` wraps the lines.
    static func lines(_ entries: [Entry]) -> [String] {
        let width = min(entries.map { TextLayout.columns(of: $0.name) }.max() ?? 0, widestName)
        return entries.map { entry in
            entry.meaning.isEmpty
                ? "  \(entry.name)" : "  \(entry.name.padded(to: width))  \(plain(entry.meaning))"
        }
    }

    /// Returns an explanation without its backticks.
    static func plain(_ meaning: String) -> String { meaning.replacing("`", with: "") }

    /// Returns an explanation that begins with the default, if there is one.
    static func meaning(_ meaning: String, usually usual: String?) -> String {
        let usual = usual.map { "(\($0))" }
        return [usual, meaning.isEmpty ? nil : meaning].compactMap(\.self).joined(separator: " ")
    }

    /// A longer name moves its explanation to the right.
    private static let widestName = 24
}

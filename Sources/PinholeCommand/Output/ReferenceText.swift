import Glibc

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

    /// Lines with the names in one column and the explanations beside them.
    ///
    /// - Parameters:
    ///   - entries: The names.
    ///   - columns: The width of a line.
    /// - Returns: The lines.
    static func lines(_ entries: [Entry], columns: Int = terminalColumns) -> [String] {
        let widest = entries.map(\.name.count).max() ?? 0
        let indent = min(widest, widestName) + 4
        return entries.flatMap { entry -> [String] in
            let text = TextLayout.wrap(plain(entry.meaning), max(columns - indent, 20))
            let name = "  \(entry.name)"
            let rest = text.map { String(repeating: " ", count: indent) + $0 }
            guard !entry.meaning.isEmpty else { return [name] }
            guard name.count <= indent - 2, let first = text.first else { return [name] + rest }
            return [TextLayout.fit(name, indent) + first] + rest.dropFirst()
        }
    }

    /// An explanation without its backticks.
    static func plain(_ meaning: String) -> String { meaning.replacing("`", with: "") }

    /// An explanation that begins with a default, if there is one.
    static func meaning(_ meaning: String, usually usual: String?) -> String {
        let usual = usual.map { "(\($0))" }
        return [usual, meaning.isEmpty ? nil : meaning].compactMap(\.self).joined(separator: " ")
    }

    /// The width of the terminal; longer lines than those of help are hard to read.
    private static var terminalColumns: Int { min(Terminal.width(STDOUT_FILENO) ?? 80, HelpText.widest) }
    /// A longer name has a line of its own.
    private static let widestName = 24
}

/// Writes tables and texts of pages.
enum Markdown {
    /// A table; a row has a cell for each column.
    static func table(_ columns: [String], _ rows: [[String]]) -> [String] {
        [row(columns), "|" + columns.map { _ in "---|" }.joined()] + rows.map(row)
    }

    private static func row(_ cells: [String]) -> String {
        "|" + cells.map { $0.isEmpty ? " |" : " \($0.replacing("|", with: "\\|")) |" }.joined()
    }

    /// A text as code.
    static func code(_ text: String) -> String { "`\(text)`" }

    /// An explanation of the program, whose mentions of pages become links.
    ///
    /// - Parameters:
    ///   - text: The explanation.
    ///   - page: The page that it is for, `FILTERS`.
    /// - Returns: The explanation in Markdown.
    static func text(_ text: String, on page: String) -> String {
        guard text.contains("docs/") else { return text }
        return text.replacing(/docs\/([A-Z0-9-]+)\.md(#[a-z0-9-]+)?/) { match in
            let (_, name, heading) = match.output
            let isHere = name == page
            return isHere
                ? "[below](\(heading ?? "#"))" : "[\(name).md](\(name).md\(heading ?? ""))"
        }
    }

    /// An explanation of the program as plain text, without its mentions of pages.
    static func plain(_ text: String) -> String {
        text.replacing(/\s\(docs\/[^)]*\)/, with: "").replacing("`", with: "")
    }

    /// A help text of a command, which is no Markdown.
    static func help(_ help: String, on page: String) -> String {
        text(help.replacing("*", with: "\\*").replacing("<", with: "\\<"), on: page)
    }
}

/// What the compiler does not check about threads is explained where it stands, and is rare.
enum UncheckedRule {
    /// How many there may be in all sources.
    static let most = 10

    // In two parts, so that this file is no finding itself.
    private static let markers = ["@unchecked" + " Sendable", "nonisolated" + "(unsafe)"]

    /// What a comment says that names the guard.
    private static let words = ["sendable: ", "guard", "written once"]

    /// The lines of `file` with something unchecked.
    static func occurrences(in file: SourceFile) -> [Int] {
        file.lines.indices.filter { line in
            let code = file.lines[line].split(separator: "//", omittingEmptySubsequences: false).first ?? ""
            return markers.contains { code.contains($0) }
        }
    }

    /// The lines of `file` with something unchecked that no comment above explains.
    ///
    /// The comment names the guard in a sentence with one of ``words``.
    static func findings(in file: SourceFile) -> [Finding] {
        occurrences(in: file).compactMap { line in
            let above = file.lines[..<line].reversed().map { $0.drop { $0 == " " } }
            let comment = above.drop { $0.hasPrefix("@") }.prefix { $0.hasPrefix("//") }
            let isExplained = comment.contains { text in words.contains { text.lowercased().contains($0) } }
            guard !isExplained else { return nil }
            return Finding(
                file,
                line: line,
                "say in a comment above what guards it: “Sendable: …”, “guarded by …”, “written once …”"
            )
        }
    }
}

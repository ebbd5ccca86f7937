/// What crosses targets is documented. (The formatter looks at `public` alone.)
enum DocumentationRule {
    /// The `package` and `public` declarations of `file` without a `///`.
    static func findings(in file: SourceFile) -> [Finding] {
        file.lines.indices.compactMap { line in
            // Regular expressions are slow in debug builds.
            guard file.lines[line].contains("package") || file.lines[line].contains("public") else {
                return nil
            }
            let declaration =
                /^\s*(?:@\w+(?:\([^)]*\))? +)*(?:package|public)(?:\(set\))? +(?!import|extension|private\(set\) *$)/
            guard file.lines[line].prefixMatch(of: declaration) != nil else { return nil }
            let above = file.lines[..<line].reversed().map { $0.drop { $0 == " " } }
            guard above.drop(while: { $0.hasPrefix("@") }).first?.hasPrefix("///") != true else { return nil }
            return Finding(file, line: line, "a declaration that crosses targets needs a `///`")
        }
    }
}

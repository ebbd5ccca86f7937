/// How long files and functions may be.
enum BudgetRule {
    static let fileLines = 600
    static let functionLines = 60
    static let documentLines = 200

    /// What in `file` is too long.
    static func findings(in file: SourceFile) -> [Finding] {
        var findings: [Finding] = []
        if file.lines.count > fileLines {
            findings.append(Finding(file, "has \(file.lines.count) lines; at most \(fileLines) are allowed"))
        }
        for (line, length) in functions(in: file) where length > functionLines {
            let sentence = "a function of \(length) lines; at most \(functionLines) are allowed"
            findings.append(Finding(file, line: line, sentence))
        }
        return findings
    }

    /// The first lines of the functions in `file`, with their lengths.
    ///
    /// The formatter puts a function's closing brace below the first letter of its declaration.
    static func functions(in file: SourceFile) -> [(line: Int, length: Int)] {
        let start =
            /^( *)(?:@\w+(?:\([^)]*\))? +)*(?:(?:public|package|internal|fileprivate|private|static|mutating|consuming|borrowing|nonisolated|override|convenience|final|required) +)*(?:func |init[(?<]|deinit )/
        return file.lines.enumerated().compactMap { line, text in
            // Regular expressions are slow in debug builds.
            guard text.contains("func ") || text.contains("init") else { return nil }
            guard let match = text.prefixMatch(of: start), !(text.contains("{") && text.hasSuffix("}")) else {
                return nil
            }
            let closing = match.1 + "}"
            let next = match.1 + "func "
            for (offset, later) in file.lines[(line + 1)...].enumerated() {
                if later == closing { return (line, offset + 2) }
                // A requirement of a protocol has no body.
                if later.hasPrefix(next) || later.count < closing.count && later.hasSuffix("}") { return nil }
            }
            return nil
        }
    }
}

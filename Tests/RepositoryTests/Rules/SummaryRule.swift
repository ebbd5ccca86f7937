/// The summary of a declaration names the thing (docs/CONTRIBUTING.md).
enum SummaryRule {
    /// Words that say nothing as a subject.
    private static let bare: Set<Substring> = [
        "What", "Who", "Whom", "Whoever", "Whatever", "Those", "One", "It", "That", "How", "Where",
    ]

    /// The summaries of `file` whose subject is a bare pronoun, and those that only repeat the name.
    static func findings(in file: SourceFile) -> [Finding] {
        var findings: [Finding] = []
        var isInside = false
        for (index, line) in file.lines.enumerated() {
            let text = line.drop { $0 == " " }
            let begins = text.hasPrefix("/// ") && !isInside
            isInside = text.hasPrefix("///")
            guard begins else { continue }
            let words = text.dropFirst("/// ".count).split { !$0.isLetter && !$0.isNumber }
            if let first = words.first, bare.contains(first) {
                findings.append(Finding(file, line: index, "“\(first)” is no subject: name the thing"))
            } else if index + 1 < file.lines.count, repeats(words, file.lines[index + 1]) {
                findings.append(Finding(file, line: index, "the summary repeats the name"))
            }
        }
        return findings
    }

    /// Whether a summary has no word that the name of the declaration below it lacks.
    private static func repeats(_ words: [Substring], _ declaration: String) -> Bool {
        let keywords: Set<Substring> = ["case", "class", "enum", "func", "let", "struct", "var"]
        let parts = declaration.split { !$0.isLetter && !$0.isNumber }
        guard let keyword = parts.firstIndex(where: keywords.contains), keyword + 1 < parts.count else {
            return false
        }
        let name = parts[keyword + 1].lowercased()
        let said = words.map { $0.lowercased() }.filter { !["a", "an", "the"].contains($0) }
        return !said.isEmpty && said.joined() == name
    }
}

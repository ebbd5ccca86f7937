/// The longest file and the longest page that a reader is asked to take in at once.
enum BudgetRule {
    static let fileLines = 600
    /// About 25 minutes of reading.
    ///
    /// The unit is words, because lines of any length can hide a long page. Rows of tables have none: a reader looks a
    /// cell up, and the tables of options grow with the program that prints them.
    static let documentWords = 4_500

    /// The Swift file's excess over ``fileLines``, if any.
    static func findings(in file: SourceFile) -> [Finding] {
        guard file.lines.count > fileLines else { return [] }
        return [Finding(file, "has \(file.lines.count) lines; at most \(fileLines) are allowed")]
    }

    /// The page's excess over ``documentWords``, if any.
    static func findings(inDocument file: SourceFile) -> [Finding] {
        let words = file.lines.reduce(0) { $0 + Self.words(in: $1) }
        guard words > documentWords else { return [] }
        return [Finding(file, "has \(words) words; at most \(documentWords) are allowed")]
    }

    private static func words(in line: String) -> Int {
        guard !line.hasPrefix("|") else { return 0 }
        return line.split(separator: " ").count { word in word.contains { $0.isLetter || $0.isNumber } }
    }
}

/// The longest file and the longest page that a reader is asked to take in at once.
enum BudgetRule {
    static let fileLines = 600
    /// The most words of prose in all pages together.
    ///
    /// A reader who does not know the project has to find a page and read it. A limit for each page alone let every page
    /// grow to that limit.
    static let allDocumentWords = 40_000
    /// The most words of prose in one page: about 15 minutes of reading.
    static let documentWords = 3000

    /// The Swift file's excess over ``fileLines``, if any.
    static func findings(in file: SourceFile) -> [Finding] {
        guard file.lines.count > fileLines else { return [] }
        return [Finding(file, "has \(file.lines.count) lines; at most \(fileLines) are allowed")]
    }

    /// The pages that are too long, and the excess of all of them over ``allDocumentWords``, if any.
    static func findings(inDocuments files: [SourceFile]) -> [Finding] {
        let counts = files.map(Self.words)
        let long = zip(files, counts).filter { $0.1 > documentWords }.map { file, words in
            Finding(file, "has \(words) words; at most \(documentWords) are allowed")
        }
        let all = counts.reduce(0, +)
        guard all > allDocumentWords, let longest = zip(files, counts).max(by: { $0.1 < $1.1 })?.0 else {
            return long
        }
        return long + [
            Finding(
                longest,
                "is the longest of pages with \(all) words; at most \(allDocumentWords) are allowed"
            )
        ]
    }

    /// The number of words in a page, without code blocks and rows of tables.
    ///
    /// A reader looks up a cell or a session. Tables also grow with the program that prints them.
    static func words(in file: SourceFile) -> Int {
        var isCode = false
        return file.lines.reduce(0) { count, line in
            if line.hasPrefix("```") {
                isCode.toggle()
                return count
            }
            return isCode || line.hasPrefix("|")
                ? count : count + line.split(whereSeparator: \.isWhitespace).count
        }
    }
}

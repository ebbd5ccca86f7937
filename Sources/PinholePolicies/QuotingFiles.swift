import PinholeSource

extension SourceLanguage {
    /// The endings of files that speak of settings and commands, or declare their names, and have none of a client.
    private static let quoting: Set = [
        "log", "po", "pot", "pyi", "proto", "graphql", "css", "1", "2", "3", "4", "5", "6", "7", "8", "9",
    ]

    /// Whether a file by its name only quotes settings and commands: prose, a log, a manual, a declaration.
    package static func isQuoting(_ name: String) -> Bool {
        isProse(name)
            || !hasNoEnding(name)
                && name.split(separator: ".").last.map(String.init).map(quoting.contains) == true
    }

    /// Returns a text with blank lines in place of its sentences, which end with a full stop.
    static func withoutSentences(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: ".") }) else { return text }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.map { isFinished($0) ? "" : $0 }.joined(separator: "\n")
    }

    /// Whether a line ends as a sentence does, behind two words.
    static func isFinished(_ line: Substring) -> Bool {
        guard line.last == "." else { return false }
        return line.dropLast().split(separator: " ").count { $0.allSatisfy(\.isLetter) } >= 2
    }
}

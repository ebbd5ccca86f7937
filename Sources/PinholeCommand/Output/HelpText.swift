import ArgumentParser

/// The help of ArgumentParser, laid out for a terminal.
///
/// ArgumentParser wraps lines without indentation, and it wraps lines that the source has wrapped already.
/// `HelpText` joins the lines of a paragraph first, and then wraps each paragraph below the start of its text.
struct HelpText {
    /// The width of the help, in columns.
    let width: Int

    /// The width that is given to ArgumentParser, so large that it wraps no line.
    static let unbroken = 10_000
    /// The greatest width, in columns: longer lines are hard to read.
    static let widest = 100

    /// Lays help and errors out; a completion script stays as it is.
    func laid(_ text: String) -> String {
        if text.hasPrefix("Error:") { return laid(error: text) }
        guard ["OVERVIEW:", "USAGE:"].contains(where: text.hasPrefix) else { return text }
        var isExample = false
        return paragraphs(of: text).flatMap { line -> [String] in
            if !line.isEmpty, !line.hasPrefix(" ") { isExample = line == "EXAMPLES" }
            if let group = Self.group(line) { return ["\(group):"] }
            guard line.count > width else { return [line] }
            let indent = line.prefix { $0 == " " }.count
            if isExample, indent == 2 { return TextLayout.command(line, width) }
            return broken(
                line,
                Self.isUsage(line) ? Self.groups(line) : line.split(separator: " ").map(String.init)
            )
        }.joined(separator: "\n")
    }

    /// Lays an error out; lines that show a place in a filter stay as they are.
    private func laid(error text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).flatMap { line in
            Self.isUsage(line) && line.count > width ? broken(line, Self.groups(line)) : [line]
        }.joined(separator: "\n")
    }

    /// Joins the lines that the source has wrapped: prose at the margin, and remarks below an example.
    private func paragraphs(of text: String) -> [String] {
        var lines: [String] = []
        var isProse = true
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            let indent = line.prefix { $0 == " " }.count
            if Self.isUsage(line) { isProse = false }
            if isProse, let last = lines.last, last.hasSuffix(" \\") {
                // The command continues on the next line, so its backslash goes.
                lines[lines.count - 1] = String(last.dropLast()) + String(line.dropFirst(indent))
            } else if isProse, let last = lines.last, !line.isEmpty, !last.isEmpty, Self.isText(line, indent),
                last.prefix(while: { $0 == " " }).count == indent, Self.isText(last, indent)
            {
                lines[lines.count - 1] += " " + line.dropFirst(indent)
            } else {
                lines.append(line)
            }
        }
        return lines
    }

    /// The name in the heading of a group of commands, to which ArgumentParser adds a word; `nil` for other lines.
    private static func group(_ line: String) -> Substring? {
        let end = " SUBCOMMANDS:"
        return line.hasSuffix(end) && !line.hasPrefix(" ") ? line.dropLast(end.count) : nil
    }

    private static func isUsage(_ line: String) -> Bool {
        ["USAGE:", "Usage:"].contains(where: line.hasPrefix)
    }

    /// Whether a line is a part of a paragraph; a heading or a command is not.
    private static func isText(_ line: String, _ indent: Int) -> Bool {
        indent == 0 && line != line.uppercased() || indent >= 6
    }

    /// Wraps a line; further pieces are indented to the text of the first, behind its label if it has one.
    private func broken(_ line: String, _ words: [String]) -> [String] {
        let indent = line.prefix { $0 == " " }.count
        var hang = indent
        if Self.hasFullLabel(line), width / 2 >= Self.labelColumn {
            hang = Self.labelColumn
        } else if let label = TextLayout.labelWidth(of: line) {
            hang = min(label, width / 2)
        } else if Self.isUsage(line) {
            hang = 4
        }
        let front = line.prefix(hang)
        // The label and its gap stay as they are.
        let isLabelled = hang > indent && !Self.isUsage(line)
        let rest = isLabelled ? line.dropFirst(hang).split(separator: " ").map(String.init) : words
        let first = isLabelled ? String(front) : String(repeating: " ", count: indent)
        return TextLayout.fill(rest, width, first: first, hang: hang)
    }

    /// The column in which ArgumentParser begins the text of an option.
    private static let labelColumn = 26

    /// Whether the label of an option fills its column, so that one space only is before the text.
    private static func hasFullLabel(_ line: String) -> Bool {
        guard line.hasPrefix("  -") else { return false }
        let end = line.dropFirst(labelColumn - 2).prefix(3)
        return end.count == 3 && end.map { $0 == " " } == [false, true, false]
    }

    /// Returns the words of a line; words in brackets stay in one piece.
    private static func groups(_ line: String) -> [String] {
        TextLayout.words(line, opening: "[(", closing: "])", areNested: true)
    }
}

extension ArgumentHelp {
    /// Returns the help of an option whose value has a name.
    static func value(_ name: String, _ text: String) -> ArgumentHelp { ArgumentHelp(text, valueName: name) }
}

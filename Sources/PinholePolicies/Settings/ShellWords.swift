import PinholeSource

/// Tells the words by which a command decides from the text that it prints, searches for or keeps as a message.
enum ShellWords {
    /// The words that may stand in front of the name of a command.
    private static let prefixes: Set = ["RUN", "CMD", "sudo", "if", "then", "else", "do", "while", "!", "-"]
    private static let searches: Set = ["grep", "egrep", "rg", "ag", "ack", "log"]
    private static let printers: Set = ["echo", "printf"]
    /// The programs whose words behind `--` are names of files; those of others may be a command.
    private static let operands: Set = [
        "git", "rm", "ls", "cat", "mv", "cp", "touch", "mkdir", "sed", "find", "head", "tail", "less", "diff",
    ]
    private static let messengers: Set = ["git", "gh", "glab", "svn", "hg"]
    private static let messages: Set = ["-m", "-am", "--message", "--body", "--title", "--notes"]

    /// Returns the words of a command without such text.
    static func deciding(_ words: [SourceText]) -> [SourceText] {
        let start = words.firstIndex { !prefixes.contains($0.code) } ?? words.endIndex
        guard start < words.endIndex else { return words }
        let name = program(words[start].code)
        let rest = words[(start + 1)...]
        if searches.contains(name) { return [words[start]] }
        if printers.contains(name) { return [words[start]] + written(rest) }
        var kept = rest
        if operands.contains(name) { kept = kept.prefix { $0.code != "--" } }
        guard messengers.contains(name) else { return Array(words[...start] + kept) }
        let isMessage = { (index: Int) in index > kept.startIndex && messages.contains(kept[index - 1].code) }
        return words[...start] + kept.indices.filter { !isMessage($0) }.map { kept[$0] }
    }

    /// The name of a program, without the path in front: `/usr/bin/curl`, and without the marks of a Makefile.
    static func program(_ word: String) -> String {
        String(word.drop { "@-".contains($0) }.split(separator: "/").last ?? "")
    }

    /// The setting that `echo` may write to a file: `NAME=value`, `export NAME=value`, a section or an object.
    private static func written(_ words: ArraySlice<SourceText>) -> [SourceText] {
        var texts = words.drop { $0.code.hasPrefix("-") || $0.code.hasPrefix("%") }
        // `echo export NAME=value`, without quotation marks.
        if texts.first?.code == "export" { texts = texts.dropFirst() }
        guard texts.count == 1, let text = texts.first?.code else { return [] }
        let lines = text.replacing("\\n", with: "\n").replacing("\\t", with: "\t")
        let setting = lines.hasPrefix("export ") ? lines.dropFirst(7) : lines[...]
        let isSetting = !setting.contains(" ") || lines.hasPrefix("[") || lines.hasPrefix("{")
        return isSetting ? [scalar(lines)] : []
    }
}

/// Gives the words of commands the values of variables, in the order of the script.
struct ShellRunner {
    private(set) var commands: [ShellCommand] = []
    /// The words of each variable.
    private var variables: [String: [SourceText]] = [:]
    /// The words of the loops that are open, by their variable.
    private var loops: [(name: String, values: [SourceText])] = []

    /// The bytes that variables may still add to words: those of a hostile script double with each of its lines.
    private var room = 1 << 20
    /// The scripts around the one that runs, each a heredoc of the next.
    private var depth = 0

    private static let mostCommands = 20_000
    /// The most loops, and scripts in each other, that are followed.
    private static let deepest = 8
    private static let shells: Set = ["sh", "bash", "zsh", "dash", "ksh", "ssh", "sudo"]

    mutating func run(_ raw: [ShellRawCommand]) {
        for command in raw {
            guard commands.count < Self.mostCommands else { return }
            let words = command.words
            let first = Self.literal(words.first)
            if first == "for", words.count > 3, Self.literal(words[2]) == "in",
                let name = Self.literal(words[1])
            {
                loops.append((name, words[3...].flatMap { fields($0, [:]) }))
                continue
            }
            if first == "done" { _ = loops.popLast() }
            for run in runs { self.run(command, run) }
        }
    }

    private static func literal(_ word: [ShellPart]?) -> String? {
        guard let word, word.count == 1, case .text(let text) = word[0] else { return nil }
        return text
    }

    /// The values of the loops' variables, one set for each run.
    private var runs: [[String: SourceText]] {
        loops.suffix(Self.deepest).reduce([[:]]) { runs, loop in
            guard !loop.values.isEmpty, runs.count * loop.values.count <= 64 else { return runs }
            return runs.flatMap { run in
                loop.values.map { value in run.merging([loop.name: value]) { $1 } }
            }
        }
    }

    private mutating func run(_ command: ShellRawCommand, _ bindings: [String: SourceText]) {
        var assignments: [(name: String, value: SourceText)] = []
        for (name, values) in command.assignments {
            let texts = values.map { text($0, bindings) }
            variables[name] = texts
            if let value = texts.first, texts.count == 1 { assignments.append((name, value)) }
        }
        let words = command.words.flatMap { fields($0, bindings) }
        guard !words.isEmpty || !assignments.isEmpty else { return }
        let names = words.prefix(3).compactMap(\.whole).map {
            $0.split(separator: "/").last.map(String.init) ?? $0
        }
        if let input = command.input, depth < Self.deepest, names.contains(where: Self.shells.contains) {
            var parser = ShellParser(Array(input.utf8), line: command.line + 1)
            depth += 1
            run(parser.commands())
            depth -= 1
        }
        commands.append(
            ShellCommand(
                words: words.map { ShellCommand.Word($0) },
                assignments: assignments,
                input: command.input,
                line: command.line
            )
        )
    }

    /// The text of a word that is not divided.
    private mutating func text(_ word: [ShellPart], _ bindings: [String: SourceText]) -> SourceText {
        var pieces: [SourceToken.Piece] = []
        for part in word {
            switch part {
            case .text(let text): pieces.append(.text(text))
            case .output(let code): pieces.append(.expression(code))
            case .variable(let name, let fallback, _):
                let values = values(of: name, fallback, bindings)
                if let values {
                    for (index, value) in values.enumerated() {
                        if index > 0 { pieces.append(.text(" ")) }
                        pieces += value.pieces
                    }
                } else {
                    pieces.append(.expression(name))
                }
            }
        }
        return SourceText(pieces).merged
    }

    /// The words of a variable; `nil` if they are not known, or there is no room for them.
    private mutating func values(
        of name: String,
        _ fallback: String?,
        _ bindings: [String: SourceText]
    ) -> [SourceText]? {
        guard room > 0,
            let values = bindings[name].map({ [$0] }) ?? variables[name] ?? fallback.map({ [SourceText($0)] })
        else { return nil }
        for value in values { room -= value.size }
        return room > 0 ? values : nil
    }

    /// The fields of a word: a variable without quotation marks is divided at its spaces, an array into its words.
    private mutating func fields(_ word: [ShellPart], _ bindings: [String: SourceText]) -> [SourceText] {
        if word.count == 1, case .variable(let name, let fallback, let isQuoted) = word[0], !isQuoted {
            guard let values = values(of: name, fallback, bindings) else {
                return [SourceText([.expression(name)])]
            }
            return values.count == 1 ? Self.divided(values[0]) : values
        }
        return [text(word, bindings)]
    }

    /// The fields of a text, which its spaces divide.
    private static func divided(_ text: SourceText) -> [SourceText] {
        var fields = [SourceText([])]
        for piece in text.pieces {
            guard case .text(let text) = piece else {
                fields[fields.count - 1].pieces.append(piece)
                continue
            }
            let parts = text.split(omittingEmptySubsequences: false, whereSeparator: \.isWhitespace)
            for (number, part) in parts.enumerated() {
                if number > 0 { fields.append(SourceText([])) }
                if !part.isEmpty { fields[fields.count - 1].pieces.append(.text(String(part))) }
            }
        }
        return fields.filter { !$0.pieces.isEmpty }
    }
}

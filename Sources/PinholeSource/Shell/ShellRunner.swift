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
    /// The place to which `exec` sends the output of all later commands.
    private var output: ShellCommand.Destination?

    private static let mostCommands = 20_000
    /// The most loops, and scripts in each other, that are followed.
    private static let deepest = 8
    /// The commands that run their input; `RUN` is that of a Dockerfile.
    static let shells: Set = [
        "sh", "bash", "zsh", "dash", "ash", "ksh", "fish", "ssh", "su", "chroot", "RUN",
    ]
    /// The files that only show what is written to them.
    private static let screens: Set = ["/dev/null", "/dev/stderr", "/dev/stdout", "/dev/tty"]

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
            if first == "exec", words.count == 1 {
                output = destination(of: command, among: raw, [:]) ?? output
            }
            for run in runs { self.run(command, destination(of: command, among: raw, run) ?? output, run) }
        }
    }

    /// The commands; those of a function whose output a caller sends to a place have that destination.
    var sentCommands: [ShellCommand] {
        var sent: [String: ShellCommand.Destination] = [:]
        for command in commands {
            guard let destination = command.destination, let name = command.words.first?.whole else {
                continue
            }
            sent[name] = destination
        }
        guard !sent.isEmpty else { return commands }
        return commands.map { command in
            var command = command
            command.destination = command.destination ?? command.function.flatMap { sent[$0] }
            return command
        }
    }

    private static func runsInput(_ names: [String]) -> Bool {
        names.contains(where: shells.contains)
            || names.contains("sudo") && names.contains { ["-s", "-i"].contains($0) }
    }

    private static func names(_ words: [String?]) -> [String] {
        words.compactMap { word in word?.split(separator: "/").last.map(String.init) ?? word }
    }

    private mutating func destination(
        of command: ShellRawCommand,
        among raw: [ShellRawCommand],
        _ bindings: [String: SourceText]
    ) -> ShellCommand.Destination? {
        if let file = command.file {
            let name = text(file, bindings).code
            return Self.screens.contains(name) ? nil : .file(name)
        }
        if let receiver = command.receiver, raw.indices.contains(receiver) {
            let words = raw[receiver].words.map(Self.literal)
            let names = Self.names(words)
            if Self.runsInput(names) { return .shell }
            if let tee = names.firstIndex(of: "tee"),
                let file = raw[receiver].words.dropFirst(tee + 1).first(where: {
                    Self.literal($0)?.hasPrefix("-") != true
                })
            {
                return .file(text(file, bindings).code)
            }
            return .other
        }
        return command.receiver != nil || command.isCaptured ? .other : nil
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

    private mutating func run(
        _ command: ShellRawCommand,
        _ destination: ShellCommand.Destination?,
        _ bindings: [String: SourceText]
    ) {
        var assignments: [(name: String, value: SourceText)] = []
        for (name, values) in command.assignments {
            let texts = values.map { text($0, bindings) }
            variables[name] = texts
            if let value = texts.first, texts.count == 1 { assignments.append((name, value)) }
        }
        let words = command.words.flatMap { fields($0, bindings) }
        guard !words.isEmpty || !assignments.isEmpty else { return }
        let input = command.input ?? command.hereString.map { text($0, bindings).code }
        let runsInput =
            input != nil && depth < Self.deepest && Self.runsInput(Self.names(words.map(\.whole)))
        if runsInput, let input {
            let line = command.input == nil ? command.line : command.line + 1
            var parser = ShellParser(Array(input.utf8), line: line)
            depth += 1
            run(parser.commands())
            depth -= 1
        }
        commands.append(
            ShellCommand(
                words: words.map { ShellCommand.Word($0) },
                assignments: assignments,
                input: input,
                runsInput: runsInput,
                line: command.line,
                lastLine: command.lastLine,
                inputLines: command.inputLines,
                function: command.function,
                destination: destination
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

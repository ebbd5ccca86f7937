import PinholeSource

/// Tells the words by which a command decides from the text that it prints, searches for or keeps as a message.
enum ShellWords {
    /// The words that may stand in front of the name of a command.
    private static let prefixes: Set = ["RUN", "CMD", "sudo", "if", "then", "else", "do", "while", "!", "-"]
    private static let searches: Set = ["grep", "egrep", "rg", "ag", "ack"]
    /// The commands of a function that use its arguments without running them.
    private static let tests: Set = ["[", "[[", "test", "case", "shift", "exit", "return", "cat"]
    /// The programs whose words behind `--` are names of files; those of others may be a command.
    private static let operands: Set = [
        "git", "rm", "ls", "cat", "mv", "cp", "touch", "mkdir", "sed", "find", "head", "tail", "less", "diff",
    ]
    /// The programs that print their words; another of such a name is one of the script, or not known.
    private static let programs: Set = ["echo", "printf", "print", "logger", "whiptail", "dialog"]
    private static let messengers: Set = ["git", "gh", "glab", "svn", "hg"]
    private static let messages: Set = ["-m", "-am", "--message", "--body", "--title", "--notes"]

    /// Returns the words of a command without such text.
    ///
    /// - Parameter words: The words.
    /// - Returns: The words.
    static func deciding(_ words: [SourceText]) -> [SourceText] {
        let start = words.firstIndex { !prefixes.contains($0.code) } ?? words.endIndex
        guard start < words.endIndex else { return words }
        let name = program(words[start].code)
        let rest = words[(start + 1)...]
        if searches.contains(name) { return [words[start]] }
        if ["echo", "printf"].contains(name) { return [words[start]] + written(rest) }
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

    /// The place of the name of a program among the words of a command.
    private static func start(_ words: [SourceText]) -> Int? {
        words.firstIndex { !prefixes.contains($0.code) }
    }

    /// The functions and aliases of a script with the names of printers.
    struct Functions {
        /// The functions that may run their words or their input, whatever their names say: `info() { echo "$@"; "$@"; }`.
        var runners: Set<String> = []
        /// The functions whose body is known.
        var defined: Set<String> = []
    }

    /// Finds the functions and aliases of a script.
    static func functions(in commands: [ShellCommand]) -> Functions {
        var functions = Functions()
        var declared: Set<String> = []
        for command in commands {
            let words = command.words.map(\.text)
            if let word = words.dropFirst().first {
                let name = String(word.code.prefix { $0 != "=" })
                if words.first?.whole == "alias" { functions.runners.insert(name) }
                if words.first?.whole == "function" { declared.insert(name) }
            }
            guard let function = command.function, isPrinter(command: function) else { continue }
            functions.defined.insert(function)
            guard let start = start(words) else { continue }
            if mayRun(command, words[start...], in: function) { functions.runners.insert(function) }
        }
        // The body of a function of fish has no brackets, and is not followed.
        functions.runners.formUnion(declared.subtracting(functions.defined))
        return functions
    }

    /// Whether a command of a function may run the words or the input of the function.
    private static func mayRun(
        _ command: ShellCommand,
        _ words: ArraySlice<SourceText>,
        in function: String
    ) -> Bool {
        guard let name = words.first?.whole else { return true }
        if ShellCommand.isShell(program(name)), command.input == nil { return true }
        let isSent = command.destination.map { !isLog($0) } ?? false
        let isHarmless = isPrinter(command: name) && name != function && !isSent || tests.contains(name)
        return !isHarmless && words.contains(where: isArgument)
    }

    /// Whether a text goes to a log or a text for people, by the name of the file or of the variable with it.
    static func isLog(_ destination: ShellCommand.Destination) -> Bool {
        guard case .file(let name) = destination else { return false }
        return SourceLanguage.isQuoting(name)
            || ["log", "logfile", "log_file"].contains(where: name.lowercased().hasSuffix)
    }

    /// Whether a word has an argument of the function or the script: `$@`, `$1`.
    static func isArgument(_ word: SourceText) -> Bool {
        word.pieces.contains { piece in
            guard case .expression(let name) = piece else { return false }
            return ["@", "*"].contains(name) || name.hasPrefix("argv") || name.allSatisfy(\.isNumber)
        }
    }

    /// The last names of functions that print a text or keep it as a message.
    private static let printers: Set = [
        "puts", "fputs", "echo", "log", "info", "debug", "warn", "warning", "error", "Log",
        "NSLog", "Errorf", "WriteLine", "write", "writeln", "format", "usage",
        "help", "description", "message", "raise", "die", "panic", "Error", "Exception",
        "fail", "abort", "fatal", "logger", "whiptail", "dialog",
    ]

    /// Whether a function prints a text or keeps it as a message; `sprintf` makes one, and a fingerprint is none.
    static func isPrinter(_ name: String) -> Bool {
        printers.contains(name)
            || ["print", "fprint", "eprint", "pprint", "debugprint"].contains(
                where: name.lowercased().hasPrefix
            )
    }

    /// Whether a command has the name of one that prints a text; each part of a name says so, `log_info`.
    private static func isPrinter(command name: String) -> Bool {
        let parts = program(name).split { "_-".contains($0) }.map(String.init)
        // A program such as fprintd prints no texts.
        return !parts.isEmpty && parts.allSatisfy { printers.contains($0) || programs.contains($0) }
    }

    /// Whether a command prints its words or its input.
    static func prints(_ command: ShellCommand, _ functions: Functions) -> Bool {
        let words = command.words.map(\.text)
        guard let start = start(words), let name = words[start].whole, !functions.runners.contains(name)
        else {
            return false
        }
        if command.input != nil && program(name) == "cat" { return true }
        return isPrinter(command: name) && !mayRun(words[start...], functions)
    }

    /// Whether a command has the name of a printer that stands nowhere in the script, and words like a command's.
    static func isUnknown(_ command: ShellCommand, _ functions: Functions) -> Bool {
        let words = command.words.map(\.text)
        guard let start = start(words), let name = words[start].whole, !functions.runners.contains(name)
        else {
            return false
        }
        return isPrinter(command: name) && mayRun(words[start...], functions)
    }

    /// Whether a function or program that the script does not define may run its words, `info curl URL`; a message is one
    /// word.
    private static func mayRun(_ words: ArraySlice<SourceText>, _ functions: Functions) -> Bool {
        guard let name = words.first?.whole, !functions.defined.contains(name),
            !programs.contains(program(name))
        else { return false }
        let rest = words.drop { $0.whole.map { isPrinter(command: $0.lowercased()) } == true }
        guard let first = rest.first else { return false }
        return rest.count > 1 && !first.code.hasPrefix("-") && !first.code.contains(" ")
    }

    /// Returns the text that a command writes to a file or hands to another command; `nil` for none.
    static func sentText(of command: ShellCommand, _ functions: Functions) -> String? {
        let words = command.words.map(\.text)
        guard let start = start(words) else { return nil }
        guard prints(command, functions) else { return command.input }
        // `printf -v NAME` keeps the text in a variable.
        guard command.destination != nil || words[start...].contains(where: { $0.whole == "-v" }) else {
            return nil
        }
        if let input = command.input { return input }
        let texts = words[(start + 1)...].drop { $0.beginning.hasPrefix("-") && $0.beginning.count < 4 }
        return texts.map(\.code).joined(separator: " ").replacing("\\n", with: "\n")
    }

    /// The place to which a command sends its text; `tee` names a file itself.
    static func destination(of command: ShellCommand) -> ShellCommand.Destination? {
        let words = command.words.map(\.text)
        guard let tee = start(words), program(words[tee].code) == "tee" else { return command.destination }
        return words[(tee + 1)...].first { !$0.beginning.hasPrefix("-") }.map { .file($0.code) }
    }

    /// Whether a command prints a message, whose text is neither kept nor run.
    ///
    /// The output of `echo` and `cat` outside of a function such as `usage` may be that of the whole script, which
    /// somebody keeps.
    static func isMessage(_ command: ShellCommand, _ functions: Functions) -> Bool {
        let words = command.words.map(\.text)
        guard prints(command, functions), sentText(of: command, functions) == nil, let start = start(words)
        else {
            return false
        }
        if let function = command.function, isPrinter(command: function),
            !functions.runners.contains(function)
        {
            return true
        }
        let name = program(words[start].code)
        return name != "cat" && !name.hasPrefix("echo") && !name.hasPrefix("print")
    }

    /// The lines of a script whose whole text is a message.
    static func printedLines(of text: String) -> Set<Int> {
        let commands = ShellCommand.commands(in: text)
        let functions = functions(in: commands)
        var printed: Set<Int> = []
        var inputs: Set<Int> = []
        var busy: Set<Int> = []
        for command in commands {
            let lines = command.line...max(command.line, command.lastLine)
            if isMessage(command, functions) {
                printed.formUnion(lines)
                inputs.formUnion(command.inputLines ?? 0..<0)
            } else {
                busy.formUnion(lines)
            }
        }
        return printed.subtracting(busy).union(inputs)
    }

    /// Returns a script with blanks in place of those lines.
    static func withoutPrintedLines(_ bytes: [UInt8]) -> [UInt8] {
        let printed = printedLines(of: String(decoding: bytes, as: UTF8.self))
        guard !printed.isEmpty else { return bytes }
        var line = 1
        return bytes.map { byte in
            defer { if byte == 0x0a { line += 1 } }
            return byte != 0x0a && printed.contains(line) ? 0x20 : byte
        }
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

import PinholeSource

/// A command of curl or Wget that source code runs: `subprocess.run(["curl", "-k", url])`, `os.system("curl -k …")`.
struct SourceCommand {
    /// The ways in which code writes a command.
    enum Form {
        /// The words behind the name of the program.
        case words([SourceText])
        /// The text of a script.
        case script(String)
    }

    let form: Form
    /// The line of the command.
    let line: Int
    /// The tokens of the command.
    let tokens: Range<Int>
    /// The expression that adds words to the command; `nil` if there is none.
    var rest: String?
    /// Whether the code shows that the command is run; a text may also be printed.
    var isRun = true

    /// The options by which curl or Wget accepts every server.
    static let insecureOptions: Set = ["-k", "--insecure", "--no-check-certificate"]
    /// The most words of a command; those behind them are unknown.
    static let mostWords = 1_000
    /// The most tokens between the sign of an assignment and a list.
    private static let namesBeforeList = 6
    /// The last names of functions that add elements to a list.
    private static let changers: Set = [
        "append", "extend", "insert", "push", "unshift", "concat", "add", "addAll", "plus", "merge",
    ]
    private static let programs: Set = ["curl", "curl.exe", "wget"]
    /// The last names of functions that run a script.
    private static let runners: Set = [
        "system", "popen", "Popen", "run", "call", "check_call", "check_output", "getoutput",
        "getstatusoutput", "exec", "execSync", "spawn", "spawnSync", "execa", "Command", "CommandContext",
        "ProcessBuilder", "start", "Start", "execute", "execFile", "execFileSync", "qx", "executeShell",
        "runSync", "shell_exec", "passthru", "proc_open", "create_subprocess_shell", "sh", "shell",
    ]

    /// The most tokens behind the name of a program that may give it words.
    private static let longestBlock = 300
    /// The most brackets around the name of a program that are read.
    private static let deepestCall = 16

    /// Finds the commands of a file, in their order.
    static func commands(in code: SourceCode) -> [SourceCommand] {
        var found: [SourceCommand] = []
        let changed = changedLists(in: code)
        // A name of a program among the words of a command is a word of it.
        var end = 0
        for index in code.tokens.indices {
            guard case .literal(let pieces) = code.tokens[index].kind, case .text(let text)? = pieces.first
            else {
                continue
            }
            guard index >= end else { continue }
            let line = code.line(of: index)
            let isProgram = text.split(separator: "/").last.map { programs.contains(String($0)) } == true
            if isProgram, pieces.count == 1 {
                guard code.isMark(",", at: index + 1) else {
                    guard let command = command(inBlockBehind: index, in: code) else { continue }
                    end = command.tokens.upperBound
                    found.append(command)
                    continue
                }
                let list = words(behind: index, in: code)
                end = list.end
                // Other lists name the program, too.
                guard
                    list.words.contains(where: { $0.beginning.hasPrefix("-") || $0.beginning.contains("://") }
                    )
                else { continue }
                var command = SourceCommand(form: .words(list.words), line: line, tokens: index..<end)
                command.rest = list.isCut ? "…" : rest(of: index, in: code, changed)
                found.append(command)
            } else if text.contains("curl ") || text.contains("wget ") {
                let isRun = isRun(index, in: code)
                // Texts for people name commands, too.
                let isCommand = programs.contains {
                    text.hasPrefix($0 + " ") || text.hasPrefix("sudo \($0) ")
                }
                guard isRun || isCommand && !isPrinted(index, in: code) else { continue }
                // Expressions are unknown variables of the script.
                let script = pieces.map { piece in
                    if case .text(let text) = piece { text } else { "${unknown}" }
                }
                var command = SourceCommand(
                    form: .script(script.joined()),
                    line: line,
                    tokens: index..<(index + 1)
                )
                command.isRun = isRun
                found.append(command)
            }
        }
        return found
    }

    /// Whether a word of a command is an option by which a server is pinned, or every server accepted.
    private static func concernsTrust(_ word: SourceText) -> Bool {
        let text = word.beginning
        let isShort = text.hasPrefix("-") && text.dropFirst().allSatisfy(\.isLetter) && text.contains("k")
        return isShort || insecureOptions.contains(text) || text.hasPrefix("--pinnedpubkey")
    }

    /// The command whose words stand behind the call with the name of the program: `Command::new("curl").arg("-k")`.
    ///
    /// Words of later statements in the same block may be those of another program.
    ///
    /// - Returns: The command; `nil` if no word has to do with trust.
    private static func command(inBlockBehind index: Int, in code: SourceCode) -> SourceCommand? {
        let outer = code.ancestors(of: index).prefix(deepestCall)
        let brace = outer.first { code.isMark("{", at: $0) }
        let limit = min(brace.map { code.end(of: $0) } ?? code.tokens.count, index + longestBlock)
        var words: [SourceText] = []
        var end = index + 1
        var last: Int?
        for place in (index + 1)..<max(index + 1, limit) {
            guard case .literal(let pieces) = code.tokens[place].kind else { continue }
            let text = SourceText(pieces)
            // The next command has words of its own.
            let isProgram =
                text.whole?.split(separator: "/").last.map { programs.contains(String($0)) } == true
            if isProgram || programs.contains(where: { text.beginning.contains($0 + " ") }) { break }
            let fields = fields(text)
            if fields.contains(where: concernsTrust) { last = place }
            words += fields
            end = place + 1
        }
        guard let last else { return nil }
        // The end of the statement is sought within the same bound.
        var statement = outer.prefix { $0 != brace }.reduce(index) { $1 }
        repeat {
            statement = code.isMark("(", at: statement) ? code.end(of: statement) + 1 : statement + 1
        } while statement < limit && !code.isMark(";", at: statement)
            && !(code.language.endsStatementsWithLine && code.endsLine(before: statement))
        var command = SourceCommand(form: .words(words), line: code.line(of: index), tokens: index..<end)
        command.isRun = last < statement
        return command
    }

    /// The words of a literal: a text with options and a URL is a whole command line, `"-k https://example.com"`.
    private static func fields(_ text: SourceText) -> [SourceText] {
        guard text.beginning.hasPrefix("-"), let whole = text.whole, whole.contains(" "),
            whole.contains("://")
        else { return [text] }
        return ShellCommand.commands(in: whole).first?.words.map(\.text) ?? [text]
    }

    /// The words of the list or the call around the name of the program, also those of lists within.
    private static func words(
        behind index: Int,
        in code: SourceCode
    ) -> (words: [SourceText], end: Int, isCut: Bool) {
        let end = code.parent(of: index).map { code.end(of: $0) } ?? code.tokens.count
        var words: [SourceText] = []
        var pieces: [SourceToken.Piece] = []
        for place in (index + 2)..<max(index + 2, end) {
            guard words.count < mostWords else { return (words, place, true) }
            switch code.tokens[place].kind {
            case .literal(let parts): pieces += parts
            case .name(let name):
                // A function makes a list of its arguments; without any, its result is not known.
                if !code.isMark("(", at: place + 1) || code.isMark(")", at: place + 2) {
                    pieces.append(.expression(name))
                }
            case .mark(","):
                if !pieces.isEmpty { words += fields(SourceText(pieces)) }
                pieces = []
            // A label is no word: `Arguments = "-k"`, `args: ["-k"]`.
            case .mark("="), .mark(":"):
                if code[place - 1]?.name != nil, code[place - 2]?.isMark(of: ",({[") == true { pieces = [] }
            case .mark: break
            }
        }
        if !pieces.isEmpty { words += fields(SourceText(pieces)) }
        return (words, max(index + 2, end), false)
    }

    /// The names of lists that get further elements, `list.append(x)`, `list += x`, `append(list, x)`, `list + x`.
    private static func changedLists(in code: SourceCode) -> Set<String> {
        var lists: Set<String> = []
        for index in code.tokens.indices {
            guard let name = code.tokens[index].name else { continue }
            if let last = code.tokens[index].lastName, changers.contains(last),
                code.isMark("(", at: index + 1)
            {
                if let list = code.tokens[index].qualifier { lists.insert(list) }
                if let list = code[index + 2]?.name { lists.insert(list) }
                if let command = code[index + 2]?.qualifier { lists.insert(command) }
            }
            let isJoined = code.isMark("+", at: index + 1) || code.isMark("+", at: index - 1)
            let isSpread = code.isMark("*", at: index - 1) || code.isMark(".", at: index - 1)
            if isJoined || isSpread { lists.insert(name) }
        }
        return lists
    }

    /// The name of the list around the name of a program if further words are added to it; `nil` for other lists.
    private static func rest(of index: Int, in code: SourceCode, _ changed: Set<String>) -> String? {
        guard let start = code.parent(of: index) else { return nil }
        let end = code.end(of: start)
        let isJoined = code.isMark("+", at: end + 1) || code.isMark("+", at: start - 1)
        let isChanged =
            code.isMark(".", at: end + 1) && code[end + 2]?.lastName.map(changers.contains) == true
        if isJoined || isChanged { return code[end + 2]?.code ?? "+" }
        // Go and Kotlin write a type or a function between the name and the list.
        let limit = max(0, start - namesBeforeList)
        guard let sign = (limit..<start).last(where: { code.isMark("=", at: $0) }),
            let name = code[sign - 1]?.name ?? code[sign - 2]?.name
        else { return nil }
        return changed.contains(name) ? name : nil
    }

    /// Whether a literal is an argument of a function that prints it, or a value with such a label.
    private static func isPrinted(_ index: Int, in code: SourceCode) -> Bool {
        let label =
            code[index - 1]?.isMark(of: ":=") == true ? code[index - 2]?.lastName : code[index - 1]?.lastName
        if let label, ShellWords.isPrinter(label) { return true }
        return code.ancestors(of: index).prefix(3).contains { bracket in
            guard code.isMark("(", at: bracket) else { return false }
            // `println!(…)` of Rust; `format!(…)` makes a text of any use.
            let isMacro = code.isMark("!", at: bracket - 1)
            guard let name = code[isMacro ? bracket - 2 : bracket - 1]?.lastName else { return false }
            return ShellWords.isPrinter(name) && !(isMacro && name == "format")
        }
    }

    /// Whether a literal is an argument of a function that runs it.
    private static func isRun(_ index: Int, in code: SourceCode) -> Bool {
        // `sh "curl …"` of Groovy and Ruby, and `$`curl …`` of JavaScript.
        if let name = code[index - 1]?.lastName, runners.contains(name) || name == "$" { return true }
        return code.ancestors(of: index).prefix(3).contains { bracket in
            code.isMark("(", at: bracket) && code[bracket - 1]?.lastName.map(runners.contains) == true
        }
    }
}

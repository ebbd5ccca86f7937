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

    private static let programs: Set = ["curl", "curl.exe", "wget"]
    /// The last names of functions that run a script.
    private static let runners: Set = [
        "system", "popen", "Popen", "run", "call", "check_call", "check_output", "getoutput",
        "getstatusoutput",
        "exec", "execSync", "spawn", "spawnSync", "execa", "Command", "CommandContext", "ProcessBuilder",
        "start",
        "Start", "runSync", "shell_exec", "passthru", "proc_open", "create_subprocess_shell", "sh", "shell",
    ]

    /// Finds the commands of a file, in their order.
    static func commands(in code: SourceCode) -> [SourceCommand] {
        var found: [SourceCommand] = []
        for index in code.tokens.indices {
            guard case .literal(let pieces) = code.tokens[index].kind, case .text(let text)? = pieces.first
            else {
                continue
            }
            let line = code.line(of: index)
            let isProgram = text.split(separator: "/").last.map { programs.contains(String($0)) } == true
            if isProgram, pieces.count == 1, code.isMark(",", at: index + 1) {
                let words = words(behind: index, in: code)
                // Other lists name the program, too.
                if words.contains(where: { $0.beginning.hasPrefix("-") || $0.beginning.contains("://") }) {
                    found.append(SourceCommand(form: .words(words), line: line))
                }
            } else if text.contains("curl ") || text.contains("wget "), isRun(index, in: code) {
                // Expressions are unknown variables of the script.
                let script = pieces.map { piece in
                    if case .text(let text) = piece { text } else { "${unknown}" }
                }
                found.append(SourceCommand(form: .script(script.joined()), line: line))
            }
        }
        return found
    }

    /// The words of the list or the call around the name of the program, also those of lists within.
    private static func words(behind index: Int, in code: SourceCode) -> [SourceText] {
        let end = code.parent(of: index).map { code.end(of: $0) } ?? code.tokens.count
        var words: [SourceText] = []
        var pieces: [SourceToken.Piece] = []
        for place in (index + 2)..<max(index + 2, end) {
            switch code.tokens[place].kind {
            case .literal(let parts): pieces += parts
            case .name(let name):
                // A function makes a list; what it makes of other values is not known.
                if !code.isMark("(", at: place + 1) { pieces.append(.expression(name)) }
            case .mark(","):
                if !pieces.isEmpty { words.append(SourceText(pieces)) }
                pieces = []
            case .mark: break
            }
        }
        if !pieces.isEmpty { words.append(SourceText(pieces)) }
        return words
    }

    /// Whether a literal is an argument of a function that runs it.
    private static func isRun(_ index: Int, in code: SourceCode) -> Bool {
        code.ancestors(of: index).prefix(3).contains { bracket in
            code.isMark("(", at: bracket) && code[bracket - 1]?.lastName.map(runners.contains) == true
        }
    }
}

/// A call of `pinhole` that a page shows.
struct DocumentedCommand: CustomStringConvertible, Sendable {
    /// The page and the line.
    let place: String
    /// The command, as the page has it.
    let text: String
    /// The arguments.
    let arguments: [String]
    /// The lines that the page shows below the command.
    let output: [String]

    /// Whether the page shows that the arguments are refused.
    var isRefused: Bool { output.first?.hasPrefix("Error: ") == true }

    var description: String { "\(place): \(text)" }

    /// The calls at the prompts of a page.
    static func atPrompts(of path: String) throws -> [DocumentedCommand] {
        let lines = try RepositoryPages.lines(of: path)
        var commands: [DocumentedCommand] = []
        for (index, line) in lines.enumerated() where line.drop(while: { $0 == " " }).hasPrefix("$ ") {
            var text = String(line.drop { $0 == " " }.dropFirst(2))
            var next = index + 1
            while text.hasSuffix("\\"), next < lines.count {
                text = text.dropLast() + lines[next]
                next += 1
            }
            let output = lines[next...].prefix { !$0.hasPrefix("$ ") && !$0.hasPrefix("```") }
            for words in ShellWords.commands(of: text) {
                // Variables of the environment may stand before the command.
                let call = words.drop { $0.wholeMatch(of: /[A-Za-z_]+=.*/) != nil }
                guard call.first == "pinhole" else { continue }
                commands.append(
                    DocumentedCommand(
                        place: "\(path):\(index + 1)",
                        text: text,
                        arguments: Array(call.dropFirst()),
                        output: Array(output)
                    )
                )
            }
        }
        return commands
    }

    /// The calls in the sentences and tables of a page, which may be incomplete.
    static func inSentences(of path: String) throws -> [DocumentedCommand] {
        var isCode = false
        var commands: [DocumentedCommand] = []
        for (index, line) in try RepositoryPages.lines(of: path).enumerated() {
            if line.drop(while: { $0 == " " }).hasPrefix("```") { isCode.toggle() }
            guard !isCode, line.contains("`pinhole ") else { continue }
            let pieces = line.replacing("\\|", with: "|").split(
                separator: "`",
                omittingEmptySubsequences: false
            )
            for (number, piece) in pieces.enumerated() where number % 2 == 1 && piece.hasPrefix("pinhole ") {
                guard let words = ShellWords.commands(of: String(piece)).first else { continue }
                commands.append(
                    DocumentedCommand(
                        place: "\(path):\(index + 1)",
                        text: String(piece),
                        arguments: Array(words.dropFirst()),
                        output: []
                    )
                )
            }
        }
        return commands
    }
}

/// Splits command lines as a shell does.
enum ShellWords {
    /// The commands of a line: a pipe, a list or a redirection ends one.
    static func commands(of line: String) -> [[String]] {
        var commands: [[String]] = [[]]
        var word: String?
        var quote: Character?
        var isEscaped = false
        var depth = 0
        func finish() {
            if let word { commands[commands.count - 1].append(word) }
            word = nil
        }
        for character in line {
            if isEscaped {
                word = (word ?? "") + String(character)
                isEscaped = false
            } else if let open = quote {
                if character == open {
                    quote = nil
                } else {
                    word = (word ?? "") + String(character)
                }
            } else if depth > 0 {
                // A substitution stays one word.
                depth += character == "(" ? 1 : character == ")" ? -1 : 0
                word = (word ?? "") + String(character)
            } else if character == "(" {
                depth = 1
                word = (word ?? "") + "("
            } else {
                switch character {
                case "\\": isEscaped = true
                case "'", "\"":
                    quote = character
                    word = word ?? ""
                case " ": finish()
                case "#" where word == nil: return commands.filter { !$0.isEmpty }
                case "&" where word?.hasSuffix(">") == true: word?.append(character)
                case "|", ";", "&":
                    finish()
                    commands.append([])
                default: word = (word ?? "") + String(character)
                }
            }
        }
        finish()
        return commands.map(withoutRedirections).filter { !$0.isEmpty }
    }

    private static func withoutRedirections(_ words: [String]) -> [String] {
        var kept: [String] = []
        var isTarget = false
        for word in words {
            if isTarget {
                isTarget = false
            } else if let match = word.wholeMatch(of: /[0-2]?(>>|>|<)([^(].*)?/) {
                isTarget = match.output.2 == nil
            } else {
                kept.append(word)
            }
        }
        return kept
    }
}

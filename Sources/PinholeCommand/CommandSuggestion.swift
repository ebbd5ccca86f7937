import ArgumentParser
import PinholeModel
import PinholeSession

/// Suggests the nearest command or value for a misspelt one.
///
/// ArgumentParser itself suggests options only.
struct CommandSuggestion {
    private let words: [String]

    /// Takes the arguments of the process.
    init(_ arguments: [[UInt8]]) { words = arguments.map { String(decoding: $0, as: UTF8.self) } }

    /// Adds the nearest command or value to a message of ArgumentParser.
    func completing(_ message: String) -> String {
        if let known = completingOption(message) { return known }
        guard let misspelt = misspelt(words), misspelt.isReported(by: message) else {
            return Self.completingValue(message)
        }
        let lines = message.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        let advice = misspelt.nearest.map { "Did you mean '\($0)'?" } ?? "'\(misspelt.help)' lists them."
        let first = "Error: There is no command '\(misspelt.word)'. \(advice)"
        return ([first] + lines.dropFirst().map(String.init)).joined(separator: "\n")
    }

    /// Adds the nearest command to a failure about a word that a default command took for its own argument.
    func completing(_ failure: CommandFailure) -> CommandFailure {
        guard failure.status == .couldNotRun, let misspelt = misspelt(words), misspelt.hasDefault,
            failure.message.contains(misspelt.word), let near = misspelt.nearest
        else { return failure }
        return CommandFailure(
            failure.status,
            "\(failure.message), and there is no command “\(misspelt.word)”",
            remedy: "the nearest command is \(near)"
        )
    }

    /// Checks the commands after “help”: ArgumentParser shows other help if there is no such command.
    ///
    /// - Throws: ``CommandFailure`` that names the nearest command.
    func checkHelp() throws(CommandFailure) {
        guard words.first == "help", words != ["help", "help"], let misspelt = misspelt(words.dropFirst())
        else { return }
        throw CommandFailure.usage(
            "there is no command “\(misspelt.word)”",
            remedy: misspelt.nearest.map { "the nearest command is \($0)" } ?? "pinhole help"
        )
    }

    /// Adds the nearest value to a message that lists the values of an option.
    private static func completingValue(_ message: String) -> String {
        let opening = "Error: The value '"
        guard message.hasPrefix(opening), let end = message.firstRange(of: "' is invalid for "),
            let list = message.firstRange(of: "Please provide one of ")
        else { return message }
        let word = message[..<end.lowerBound].dropFirst(opening.count)
        let lines = message[list.upperBound...].split(separator: "\n")
        // A short list is in one line and in quotation marks, a longer one has a line for each value.
        let quoted = (lines.first ?? "").split(separator: "'", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
        let listed = lines.filter { $0.hasPrefix("  - ") }.map { String($0.dropFirst(4)) }
        guard let near = EditDistance.nearest(to: String(word), in: quoted + listed) else { return message }
        return message[..<list.lowerBound] + "Did you mean '\(near)'? " + message[list.lowerBound...]
    }

    /// Names the option in place of an unknown one that other commands or other proxies have.
    private func completingOption(_ message: String) -> String? {
        let opening = "Error: Unknown option '--"
        let lines = message.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = lines.first, first.hasPrefix(opening) else { return nil }
        let name = first.dropFirst(opening.count).prefix { $0 != "'" }
        guard let near = option(for: name) else { return nil }
        let line = "\(opening)\(name)'. Did you mean \(near)?"
        return ([line] + lines.dropFirst().map(String.init)).joined(separator: "\n")
    }

    private func option(for name: Substring) -> String? {
        switch (words.first, words.dropFirst().first, name) {
        case ("flows", "import", "capture"): "'--into'"
        case ("flows", "show", "raw"), ("flows", "show", "curl"), ("flows", "show", "har"):
            "'pinhole flows export --\(name)'"
        case ("replay", _, "header"): "'--set-header'"
        case ("replay", _, "body"), ("replay", _, "data"): "'--body-file'"
        case ("rules", "add", "mock"), ("rules", "add", "map"), ("rules", "add", "header"),
            ("rules", "add", "rule"):
            "'pinhole rules add mock PATTERN status=503'"
        case ("run", _, _), ("proxy", _, _), ("attach", _, _): Self.rule(for: name)
        default: nil
        }
    }

    /// The flag for a rule in place of one that other proxies have, or that is named as a kind of rule.
    private static func rule(for name: Substring) -> String? {
        switch name {
        case "map-remote", "map-local": "--map 'PATTERN=URL|PATH'"
        case "set-header", "add-header", "remove-header", "modify-headers": "--header 'PATTERN=NAME: VALUE'"
        case "block", "block-list": "--rule 'block PATTERN'"
        case "delay": "--rule 'delay PATTERN seconds=2'"
        case "throttle": "--rule 'throttle PATTERN preset=3G'"
        case "redirect": "--rule 'redirect PATTERN to=URL'"
        case "break", "breakpoint", "intercept": "--rule 'breakpoint PATTERN'"
        case "modify-body": "--rule 'rewriteResponse PATTERN …'"
        default: nil
        }
    }

    /// An unknown word in the place of a command.
    private struct Misspelling {
        /// The commands before it.
        let path: [String]
        let word: String
        /// The commands that are valid in that place.
        let commands: [CommandConfiguration]
        /// Whether the word may be an argument of a default command.
        let hasDefault: Bool

        /// The words after it.
        let rest: [String]

        /// The command that lists the commands of the place.
        var help: String { (path + ["--help"]).joined(separator: " ") }

        /// The nearest command, with the commands before it and those that the next words name.
        var nearest: String? {
            let names = commands.compactMap(\.commandName)
            // The words of other programs may be misspelt, too.
            let words = Self.synonyms.filter { names.contains($0.value) }
            if let known = words[word] { return (path + [known]).joined(separator: " ") }
            let prefixed = names.filter { $0.hasPrefix(word) }
            let near =
                prefixed.count == 1
                ? prefixed.first
                : EditDistance.nearest(to: word, in: names)
                    ?? EditDistance.nearest(to: word, in: words.keys.filter { $0.count > 3 }).flatMap {
                        words[$0]
                    }
            guard let command = commands.first(where: { $0.commandName == near }), let near else {
                return elsewhere
            }
            var found = path + [near]
            var known = command.subcommands.map { $0.configuration }
            for word in rest {
                let names = known.compactMap(\.commandName)
                guard
                    let name = names.first(where: { $0 == word }) ?? EditDistance.nearest(to: word, in: names)
                else { break }
                found.append(name)
                known = known.first { $0.commandName == name }?.subcommands.map { $0.configuration } ?? []
            }
            return found.joined(separator: " ")
        }

        /// The command with this name or the nearest one a level below, such as `flows list` for `list` or `lsit`, or
        /// one that begins like the word.
        private var elsewhere: String? {
            let below = commands.flatMap { command in
                command.subcommands.compactMap { $0.configuration.commandName }
                    .map { (command.commandName, $0) }
            }
            // A short word is near many others.
            let near = word.count < 4 ? nil : EditDistance.nearest(to: word, in: below.map(\.1))
            let found = below.first { $0.1 == word } ?? below.first { $0.1 == near }
            // Else one that begins alike: `proxies` for `proxy`.
            let alike = commands.compactMap(\.commandName)
                .first { zip(word, $0).prefix { $0.0 == $0.1 }.count >= 4 }
            return (found.map { [$0.0, $0.1] } ?? alike.map { [$0] })
                .map { (path + $0.compactMap(\.self)).joined(separator: " ") }
        }

        /// The commands of words that other programs use for them.
        private static let synonyms = [
            "ls": "list", "dir": "list", "search": "list", "find": "list", "cat": "show", "view": "show",
            "get": "show", "delete": "remove", "rm": "remove", "new": "add", "create": "add",
            "change": "edit", "set": "edit", "log": "list", "tail": "list", "record": "proxy",
            "start": "proxy", "serve": "proxy", "capture": "run", "captures": "flows", "sniff": "run",
        ]

        /// Whether ArgumentParser's message is about the word.
        func isReported(by message: String) -> Bool {
            // ArgumentParser may name the words or options after the misspelt command instead. Without a default
            // command, no other command has read them.
            guard hasDefault else { return message.hasPrefix("Error: ") }
            // A default command that takes no arguments reports the word, alone or before others.
            return ["Unexpected argument '\(word)'", "unexpected arguments: '\(word)'"]
                .contains { message.prefix { $0 != "\n" }.contains($0) }
        }
    }

    private func misspelt(_ words: some Sequence<String>) -> Misspelling? {
        var command = Pinhole.configuration
        var path = ["pinhole"]
        let words = Array(words)
        for (index, word) in words.enumerated() {
            let commands = command.subcommands.map { $0.configuration }
            guard !commands.isEmpty, !word.hasPrefix("-") else { return nil }
            guard let next = commands.first(where: { $0.commandName == word }) else {
                return Misspelling(
                    path: path,
                    word: word,
                    commands: commands,
                    hasDefault: command.defaultSubcommand != nil,
                    rest: Array(words[(index + 1)...])
                )
            }
            command = next
            path.append(word)
        }
        return nil
    }
}

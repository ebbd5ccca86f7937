import ArgumentParser
import PinholeModel

/// The command that a misspelt one most likely should have been; ArgumentParser suggests options only.
struct CommandSuggestion {
    private let words: [String]

    /// Takes the arguments of the process.
    init(_ arguments: [[UInt8]]) { words = arguments.map { String(decoding: $0, as: UTF8.self) } }

    /// The message of ArgumentParser, with the nearest command in its first line where a command is misspelt.
    func completing(_ message: String) -> String {
        // Where options follow, ArgumentParser complains of these.
        guard let misspelt, message.hasPrefix("Error: Un") else { return message }
        let prefixed = misspelt.known.filter { $0.hasPrefix(misspelt.word) }
        let near =
            prefixed.count == 1
            ? prefixed.first : EditDistance.nearest(to: misspelt.word, in: misspelt.known)
        guard let near else { return message }
        let meant = (misspelt.path + [near]).joined(separator: " ")
        let lines = message.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        let first = "Error: There is no command '\(misspelt.word)'. Did you mean '\(meant)'?"
        return ([first] + lines.dropFirst().map(String.init)).joined(separator: "\n")
    }

    /// A word that is no command where one is expected.
    private struct Misspelling {
        /// The commands before it.
        let path: [String]
        let word: String
        /// The commands that could stand there.
        let known: [String]
    }

    private var misspelt: Misspelling? {
        var command = Pinhole.configuration
        var path = ["pinhole"]
        for word in words {
            let commands = command.subcommands.map { $0.configuration }
            // The word is an argument of the default command, where there is one.
            guard !commands.isEmpty, command.defaultSubcommand == nil, !word.hasPrefix("-") else {
                return nil
            }
            guard let next = commands.first(where: { $0.commandName == word }) else {
                return Misspelling(path: path, word: word, known: commands.compactMap(\.commandName))
            }
            command = next
            path.append(word)
        }
        return nil
    }
}

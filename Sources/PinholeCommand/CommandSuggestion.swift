import ArgumentParser
import PinholeModel

/// Suggests the command that a misspelt word most likely stands for; ArgumentParser suggests options only.
struct CommandSuggestion {
    private let words: [String]

    /// Takes the arguments of the process.
    init(_ arguments: [[UInt8]]) { words = arguments.map { String(decoding: $0, as: UTF8.self) } }

    /// Adds the nearest command to the first line of ArgumentParser's message if a command is misspelt.
    func completing(_ message: String) -> String {
        // If options follow the misspelt command, ArgumentParser names the options in its message.
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

    /// An unknown word in the place of a command.
    private struct Misspelling {
        /// The commands before it.
        let path: [String]
        let word: String
        /// The commands that are valid in that place.
        let known: [String]
    }

    private var misspelt: Misspelling? {
        var command = Pinhole.configuration
        var path = ["pinhole"]
        for word in words {
            let commands = command.subcommands.map { $0.configuration }
            // With a default command, the word is an argument of that command.
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

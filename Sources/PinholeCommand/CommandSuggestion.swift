import ArgumentParser
import PinholeModel

/// Suggests the command that a misspelt word most likely stands for; ArgumentParser suggests options only.
struct CommandSuggestion {
    private let words: [String]

    /// Takes the arguments of the process.
    init(_ arguments: [[UInt8]]) { words = arguments.map { String(decoding: $0, as: UTF8.self) } }

    /// Adds the nearest command to the first line of ArgumentParser's message if a command is misspelt.
    func completing(_ message: String) -> String {
        let capture = "Error: Unknown option '--capture'\n"
        if words.starts(with: ["flows", "import"]), message.hasPrefix(capture) {
            return "\(capture.dropLast()). Did you mean '--into'?\n\(message.dropFirst(capture.count))"
        }
        guard let misspelt, misspelt.isReported(by: message) else { return message }
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
        /// Whether the word may be an argument of a default command.
        let hasDefault: Bool

        /// Whether ArgumentParser's message is about the word.
        func isReported(by message: String) -> Bool {
            // If options follow the misspelt command, ArgumentParser names the options in its message.
            guard hasDefault else { return message.hasPrefix("Error: Un") }
            // A default command that takes no arguments reports the word, alone or before others.
            return ["Unexpected argument '\(word)'", "unexpected arguments: '\(word)'"]
                .contains { message.prefix { $0 != "\n" }.contains($0) }
        }
    }

    private var misspelt: Misspelling? {
        var command = Pinhole.configuration
        var path = ["pinhole"]
        for word in words {
            let commands = command.subcommands.map { $0.configuration }
            guard !commands.isEmpty, !word.hasPrefix("-") else { return nil }
            guard let next = commands.first(where: { $0.commandName == word }) else {
                return Misspelling(
                    path: path,
                    word: word,
                    known: commands.compactMap(\.commandName),
                    hasDefault: command.defaultSubcommand != nil
                )
            }
            command = next
            path.append(word)
        }
        return nil
    }
}

import ArgumentParser

/// The words of a command in a sentence: the line is not broken between them, since users copy a command.
struct CommandWords {
    /// The command that the words name so far; `nil` for another program than Pinhole.
    private var command: (any ParsableCommand.Type)?
    private var hasArguments = false
    /// Whether the next word is the value of an option.
    private var expectsValue = false
    /// Whether everything belongs to a program after “--”.
    private var isLiteral = false
    /// Whether no further word belongs to the command.
    private(set) var isOver: Bool

    private static let opening: Set<Character> = ["(", "“", "`"]
    private static let closing: Set<Character> = [",", ";", ".", ":", ")", "”", "`"]

    /// Starts a command; `nil` if the word names none of the programs in messages.
    init?(_ word: Substring) {
        switch Self.bare(word.drop(while: Self.opening.contains)) {
        case "pinhole": command = Pinhole.self
        case "rm": command = nil
        default: return nil
        }
        isOver = Self.ends(word)
    }

    /// Adds the next word of the sentence.
    ///
    /// - Returns: Whether the word belongs to the command.
    mutating func takes(_ word: Substring) -> Bool {
        guard !isOver, let first = word.first, !Self.opening.contains(first) else { return false }
        let bare = Self.bare(word)
        if isLiteral || expectsValue {
            expectsValue = false
        } else if bare.hasPrefix("-") {
            isLiteral = bare == "--"
            expectsValue = takesValue(bare)
            hasArguments = true
        } else if !hasArguments, let next = subcommand(bare) {
            command = next
        } else if bare.contains(where: { !("a"..."z").contains($0) }) {
            // A path, a number, or a placeholder such as FILE.
            hasArguments = true
        } else {
            return false
        }
        isOver = Self.ends(word)
        return true
    }

    private func subcommand(_ name: Substring) -> (any ParsableCommand.Type)? {
        guard let command else { return nil }
        if name == "help", command == Pinhole.self { return command }
        return command.configuration.subcommands.first { $0.configuration.commandName == String(name) }
    }

    private func takesValue(_ option: Substring) -> Bool {
        command?.helpMessage(columns: HelpText.unbroken).contains("\(option) <") ?? false
    }

    private static func bare(_ word: Substring) -> Substring {
        // A path such as “.” stays.
        var word = word
        while word.count > 1, let last = word.last, closing.contains(last) { word = word.dropLast() }
        return word
    }

    private static func ends(_ word: Substring) -> Bool {
        word.count > 1 && word.last.map(closing.contains) == true
    }
}

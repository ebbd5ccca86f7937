/// The names of commands and options.
struct CommandNames {
    private let commands: [CommandDescription]

    init() throws { commands = try CommandDescription.all }

    /// The first word that looks like a command or an option of the program, and is none.
    ///
    /// - Parameter arguments: The words after `pinhole`; a page may leave out values.
    /// - Returns: The word; `nil` if there is none.
    func unknown(in arguments: [String]) -> String? {
        var path = "pinhole"
        var rest = arguments[...]
        while let word = rest.first, commands.contains(where: { $0.path == "\(path) \(word)" }) {
            path += " \(word)"
            rest = rest.dropFirst()
        }
        guard let command = commands.first(where: { $0.path == path }) else {
            // A page may write COMMAND for any command, and the program has options of its own.
            return rest.first.flatMap { $0.wholeMatch(of: /[a-z]+/) == nil ? nil : $0 }
        }
        if let word = rest.first, command.takesNoWords, word.wholeMatch(of: /[a-z]+/) != nil { return word }
        let known = options(of: command) + ["--help", "-h", "--version"]
        return rest.prefix { $0 != "--" }.first { word in
            let name = word.prefix { $0 != "=" }
            return name.wholeMatch(of: /--?[a-z][a-z0-9.-]*/) != nil && !known.contains(String(name))
        }
    }

    /// The options of a command, and of the one that it stands for without a subcommand.
    private func options(of command: CommandDescription) -> [String] {
        let usual = command.defaultSubcommand.flatMap { name in
            commands.first { $0.path == "\(command.path) \(name)" }
        }
        return (command.options + (usual?.options ?? [])).flatMap(\.names)
    }
}

extension CommandDescription {
    /// Whether a word behind the command has to be a subcommand.
    fileprivate var takesNoWords: Bool {
        !(subcommands ?? []).isEmpty && defaultSubcommand == nil
            && shown.allSatisfy { $0.kind != "positional" }
    }
}

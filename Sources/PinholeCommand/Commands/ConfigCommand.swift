import ArgumentParser

/// `pinhole config`.
struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Print the defaults as config.json, or check a file.",
        discussion: """
            EXAMPLES
              pinhole config > config.json
                  every key with its default
              pinhole config check config.json
                  exits with 1 and says what is wrong

            docs/CONFIGURATION.md explains every key.
            """,
        subcommands: [ConfigCheckCommand.self]
    )

    @OptionGroup var options: ConfigurationOptions

    func run() throws {
        if let file = options.config {
            throw CommandFailure(
                .usage,
                "the defaults depend on no file",
                remedy: "pinhole config check \(file)"
            )
        }
        StandardOutput.write(String(ConfigurationTemplate.text.dropLast()))
    }
}

import ArgumentParser
import PinholeSession

/// `pinhole config`.
struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Show and check config.json, and allow what it does.",
        discussion: """
            EXAMPLES
              pinhole config > config.json
                  every key with its default
              pinhole config keys tls
                  the meaning of the keys of a section
              pinhole config check config.json
                  exits with 1 and names each fault
              pinhole config trust
                  shows the effects of ./config.json that need confirmation, and confirms them

            docs/CONFIGURATION.md explains every key.
            """,
        subcommands: [ConfigKeysCommand.self, ConfigCheckCommand.self, ConfigTrustCommand.self]
    )

    @OptionGroup var options: ConfigurationOptions

    func run() throws {
        if let file = options.config {
            throw CommandFailure.usage(
                "the defaults depend on no file",
                remedy: "pinhole config check \(file)"
            )
        }
        StandardOutput.write(String(ConfigurationTemplate.text.dropLast()))
    }
}

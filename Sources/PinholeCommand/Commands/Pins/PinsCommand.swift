import ArgumentParser

/// `pinhole pins`.
struct PinsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pins",
        abstract: "Show pins in any format, and check policy files.",
        discussion: """
            EXAMPLES
              pinhole pins https://example.com
                  the pins of a server, and how each mechanism writes them
              pinhole pins server.pem backup.pub --format android
                  a network_security_config.xml with the key of a certificate and a backup key
              pinhole pins check Info.plist --host api.example.com --chain chain.pem
                  what is wrong with the pins of an app
              pinhole pins compare network_security_config.xml Info.plist
                  whether two apps pin the same keys of the same hosts

            “pinhole pins” is short for “pinhole pins show”: “pinhole help pins show” lists the options.

            docs/PINS.md#which-to-choose says which keys to pin.
            """,
        subcommands: [
            PinsShowCommand.self, PinsCheckCommand.self, PinsCompareCommand.self, PinsRotateCommand.self,
        ],
        defaultSubcommand: PinsShowCommand.self
    )
}

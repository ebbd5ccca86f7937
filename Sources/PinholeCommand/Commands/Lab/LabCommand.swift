import ArgumentParser

/// `pinhole lab`.
struct LabCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lab",
        abstract: "Attack test clients that follow your policy or others.",
        discussion: """
            EXAMPLES
              pinhole lab
                  every built-in policy against every scenario
              pinhole lab --policy network_security_config.xml
                  your policy in the first row
              pinhole lab list A09
                  a scenario in full, with its remedy

            “pinhole lab” is short for “pinhole lab run”: “pinhole help lab run” lists the options.
            """,
        subcommands: [LabRunCommand.self, LabListCommand.self, LabMergeCommand.self],
        defaultSubcommand: LabRunCommand.self
    )
}

import ArgumentParser

/// `pinhole rules`.
struct RulesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rules",
        abstract: "List and check the rules that change traffic.",
        discussion: """
            EXAMPLES
              pinhole rules list
                  the rules of ./config.json, in the order in which Pinhole tries them
              pinhole rules check config.json
                  exits with 1 if a rule can never act, names a missing file, or has no effect
              pinhole rules kinds
                  what a rule can do

            A running proxy reads changed rules when it gets SIGHUP. docs/RULES.md explains them.
            """,
        subcommands: [RulesListCommand.self, RulesCheckCommand.self, RulesKindsCommand.self]
    )
}

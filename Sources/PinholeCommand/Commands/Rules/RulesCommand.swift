import ArgumentParser

/// `pinhole rules`.
struct RulesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rules",
        abstract: "List and check the rules that change traffic.",
        discussion: """
            EXAMPLES
              pinhole rules list
                  the rules of ./config.json, in the order in which they are asked
              pinhole rules check config.json
                  exits with 1 where one can never act, names a file that is missing, or says nothing
              pinhole rules kinds
                  what a rule can do

            A running proxy takes changed rules over when it gets SIGHUP. docs/RULES.md explains them.
            """,
        subcommands: [RulesListCommand.self, RulesCheckCommand.self, RulesKindsCommand.self]
    )
}

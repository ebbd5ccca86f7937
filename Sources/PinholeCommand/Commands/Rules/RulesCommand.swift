import ArgumentParser

/// `pinhole rules`.
struct RulesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rules",
        abstract: "List, add, edit and check rules that change traffic.",
        discussion: """
            EXAMPLES
              pinhole rules list
                  the rules of the running proxy, or of ./config.json, in the order in which Pinhole tries them
              pinhole rules add mock '/users/*' status=503
              pinhole rules edit 0 status=404
              pinhole rules remove 0
              pinhole rules check config.json
                  exits with 1 if a rule can never act, names a missing file, or has no effect
              pinhole rules kinds
                  what a rule can do

            A running proxy reads the changed rules of a file when it gets SIGHUP. docs/RULES.md explains them.
            """,
        subcommands: [
            RulesListCommand.self, RulesAddCommand.self, RulesEditCommand.self, RulesRemoveCommand.self,
            RulesCheckCommand.self, RulesKindsCommand.self,
        ]
    )
}

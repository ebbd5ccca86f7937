import ArgumentParser
import PinholeFilter
import PinholeRules

/// `pinhole rules list`.
struct RulesListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show the rules in the order in which Pinhole tries them."
    )

    @OptionGroup var options: ConfigurationOptions

    @Argument(help: "The file (./config.json).")
    var file: String?

    func run() throws {
        let rules = try ConfigurationFile(named: file ?? options.config).load().rules.rules
        guard !rules.isEmpty else { return StandardOutput.write("no rules") }
        for (index, rule) in rules.enumerated() {
            let columns = [
                "\(index)".padded(to: 3), rule.name.padded(to: 20), rule.action.kind.rawValue.padded(to: 20),
                rule.filter.description, rule.isEnabled ? "" : "(off)",
            ]
            StandardOutput.show(Plain.printable(columns.filter { !$0.isEmpty }.joined(separator: "  ")))
        }
    }
}

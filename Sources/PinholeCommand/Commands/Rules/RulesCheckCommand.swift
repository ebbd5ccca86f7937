import ArgumentParser
import PinholeRules
import PinholeSession

/// `pinhole rules check`.
struct RulesCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Find rules that contradict each other or can never act.",
        discussion: """
            EXAMPLES
              pinhole rules check
                  ./config.json
              pinhole rules check ci/config.json
            """
    )

    @OptionGroup var options: ConfigurationOptions

    @Argument(help: "The file (./config.json).")
    var file: String?

    func run() throws {
        let (path, configuration) = try options.checked(file)
        let rules = configuration.rules
        let remarks =
            configuration.programs.compactMap(ExecutableSearch.remark)
            + rules.remarks(in: RuleSurroundings(configuration)).map(\.description)
        for remark in remarks { StandardOutput.show(Plain.printable("\(path): \(remark)")) }
        let count = Plain.count(rules.enabled.count, "rule")
        guard remarks.isEmpty else {
            throw CommandFailure(
                .negative,
                "\(Plain.count(remarks.count, "remark")) on \(count)",
                remedy: "change the rule, or switch it off with \"enabled\": false"
            )
        }
        StandardOutput.write("\(path): \(count), no remarks")
    }
}

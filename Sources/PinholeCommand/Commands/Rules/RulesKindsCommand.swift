import ArgumentParser
import PinholeRules

/// `pinhole rules kinds`.
struct RulesKindsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kinds",
        abstract: "Show what a rule can do."
    )

    func run() {
        for kind in RuleKind.allCases {
            StandardOutput.show("\(kind.rawValue.padded(to: 22))\(kind.summary)")
        }
    }
}

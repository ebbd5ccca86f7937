import ArgumentParser
import PinholeRules

/// `pinhole rules kinds`.
struct RulesKindsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kinds",
        abstract: "Show what a rule can do, or the keys of some kinds.",
        discussion: """
            EXAMPLES
              pinhole rules kinds
              pinhole rules kinds mock throttle
                  the effect of these kinds, and each key with its default
            """
    )

    @Argument(
        help: .value("kind", "Kinds to explain."),
        transform: { try FlagValue.choice($0, "a kind of rule") }
    )
    var kinds: [RuleKind] = []

    func run() {
        for entry in kinds.isEmpty ? summaries : kinds.flatMap(entries) { StandardOutput.show(entry) }
    }

    private var summaries: [String] {
        ReferenceText.lines(
            RuleKind.allCases.map { ReferenceText.Entry(name: $0.rawValue, meaning: $0.summary) }
        )
    }

    /// Returns the lines of a kind and its keys.
    private func entries(of kind: RuleKind) -> [String] {
        let meaning = [kind.summary, kind.details].compactMap(\.self).joined(separator: ". ")
        let keys = kind.keys.map { key in
            ReferenceText.Entry(
                name: "  \(key.name)",
                meaning: ReferenceText.meaning(key.explanation, usually: key.usual)
            )
        }
        return ReferenceText.lines([ReferenceText.Entry(name: kind.rawValue, meaning: meaning)] + keys)
    }
}

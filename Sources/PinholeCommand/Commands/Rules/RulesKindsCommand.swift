import ArgumentParser
import PinholeModel
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
                  what these kinds do, and each key with its default
            """
    )

    @Argument(help: ArgumentHelp("Kinds to tell in full.", valueName: "kind"))
    var kinds: [String] = []

    func run() throws {
        guard !kinds.isEmpty else {
            let entries = RuleKind.allCases.map {
                ReferenceText.Entry(name: $0.rawValue, meaning: $0.summary)
            }
            for line in ReferenceText.lines(entries) { StandardOutput.write(line) }
            return
        }
        for name in kinds { try tell(name) }
    }

    private func tell(_ name: String) throws(CommandFailure) {
        guard let kind = RuleKind(rawValue: name) else {
            let nearest = EditDistance.nearest(to: name, in: RuleKind.allCases.map(\.rawValue))
            throw CommandFailure(
                .usage,
                "no rule has the kind “\(name)”",
                remedy: nearest.map { "did you mean \($0)?" } ?? "pinhole rules kinds names them all"
            )
        }
        let meaning = [kind.summary, kind.details].compactMap(\.self).joined(separator: ". ")
        let keys = kind.keys.map { key in
            ReferenceText.Entry(
                name: "  \(key.name)",
                meaning: ReferenceText.meaning(key.meaning, usually: key.usual)
            )
        }
        let entries = [ReferenceText.Entry(name: kind.rawValue, meaning: meaning)] + keys
        for line in ReferenceText.lines(entries) { StandardOutput.write(line) }
    }
}

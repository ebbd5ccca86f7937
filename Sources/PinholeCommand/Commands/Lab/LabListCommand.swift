import ArgumentParser
import Glibc
import PinholeLab
import PinholeModel

/// `pinhole lab list`.
struct LabListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the scenarios and the built-in policies, or tell one in full.",
        discussion: """
            EXAMPLES
              pinhole lab list
              pinhole lab list A09 SL
                  what scenario A09 and policy SL are
            """
    )

    @Argument(help: ArgumentHelp("Scenarios or policies to tell in full.", valueName: "id"))
    var ids: [String] = []

    func run() throws {
        let style = Style.forDescriptor(STDOUT_FILENO)
        guard ids.isEmpty else {
            for id in ids { StandardOutput.show(try story(id, style)) }
            return
        }
        for group in Scenario.Group.allCases {
            let scenarios = Scenario.catalogue.filter { $0.group == group }
            show(group.rawValue, scenarios.map { "  \(TextLayout.fit($0.id, 4)) \($0.title)" }, style)
        }
        let width = LabPolicy.builtIn.map(\.id.count).max() ?? 0
        for group in LabPolicy.Group.allCases {
            let policies = LabPolicy.builtIn.filter { $0.group == group }
            let lines = policies.map { policy in
                let broken = policy.stance == .broken ? " (broken on purpose)" : ""
                return "  \(TextLayout.fit(policy.id, width)) \(policy.title)\(broken)"
            }
            if !lines.isEmpty { show("policies: \(group.rawValue)", lines, style) }
        }
    }

    /// Writes a group; a wide terminal gets it in columns.
    private func show(_ title: String, _ lines: [String], _ style: Style) {
        StandardOutput.write(style.paint(title, .bold))
        for line in TextLayout.sideBySide(lines, Terminal.width(STDOUT_FILENO)) { StandardOutput.show(line) }
    }

    private func story(_ id: String, _ style: Style) throws(CommandFailure) -> String {
        if let scenario = Scenario.catalogue.first(where: { $0.id == id.uppercased() }) {
            return """
                \(style.paint("\(scenario.id) \(scenario.title)", .bold)) (\(scenario.kind.rawValue))
                  presented       \(scenario.presents)
                  precondition    \(scenario.precondition)
                  correct client  \(scenario.correctClient)
                  what helps      \(scenario.remedy)
                  known from      \(scenario.references.joined(separator: "; "))
                """
        }
        if let policy = LabPolicy.builtIn.first(where: { $0.id.lowercased() == id.lowercased() }) {
            let notes = policy.notes.map { "\n  \($0)" }.joined()
            return "\(style.paint(policy.id, .bold)) \(policy.title)\(notes)"
        }
        let names = Scenario.catalogue.map(\.id) + LabPolicy.builtIn.map(\.id)
        let nearest = EditDistance.nearest(to: id, in: names)
        throw CommandFailure(
            .usage,
            "there is no scenario or policy “\(id)”",
            remedy: nearest.map { "did you mean \($0)?" } ?? "pinhole lab list names them all"
        )
    }
}

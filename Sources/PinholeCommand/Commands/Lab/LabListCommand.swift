import ArgumentParser
import Glibc
import PinholeLab
import PinholeModel
import PinholePolicies
import PinholeSession

/// `pinhole lab list`.
struct LabListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the scenarios and the built-in policies, or explain some of them.",
        discussion: """
            EXAMPLES
              pinhole lab list
              pinhole lab list A09 SL
                  scenario A09 and policy SL in full
              pinhole lab list okhttp
                  a mechanism of policy documents, with its settings
            """
    )

    @Argument(help: .value("id", "Scenarios, policies or mechanisms to explain."))
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

    /// Writes a group of lines, in columns if the terminal is wide enough.
    private func show(_ title: String, _ lines: [String], _ style: Style) {
        StandardOutput.write(style.paint(title, .bold))
        for line in TextLayout.sideBySide(lines, Terminal.width(STDOUT_FILENO)) { StandardOutput.show(line) }
    }

    private func story(_ id: String, _ style: Style) throws(CommandFailure) -> String {
        if let scenario = Scenario.every.first(where: { $0.id == id.uppercased() }) {
            return """
                \(style.paint("\(scenario.id) \(scenario.title)", .bold)) (\(scenario.kind.rawValue))
                  presented       \(scenario.presents)
                  precondition    \(scenario.precondition)
                  correct client  \(scenario.correctClient)
                  remedy          \(scenario.remedy)
                  known from      \(scenario.references.joined(separator: "; "))
                """
        }
        let policy = LabPolicy.builtIn.first { $0.id.lowercased() == id.lowercased() }
        let mechanism = PolicyMechanism.all.first { $0.name == id.lowercased() }
        let stories = [policy.map { story(of: $0, style) }, mechanism.map { story(of: $0, style) }]
            .compactMap(\.self)
        guard stories.isEmpty else { return stories.joined(separator: "\n") }
        let names = Scenario.catalogue.map(\.id) + LabPolicy.builtIn.map(\.id) + PolicyDocument.mechanisms
        throw CommandFailure.usage(
            "there is no scenario, policy or mechanism “\(id)”",
            remedy: Remedy.nearest(to: id, in: names)
                ?? "pinhole lab list names them all"
        )
    }

    private func story(of policy: LabPolicy, _ style: Style) -> String {
        let notes = policy.notes.map { "\n  \($0)" }.joined()
        return "\(style.paint(policy.id, .bold)) \(policy.title)\(notes)"
    }

    private func story(of mechanism: PolicyMechanism, _ style: Style) -> String {
        let settings = mechanism.settings.map { setting in
            ReferenceText.Entry(
                name: setting.name,
                meaning: ReferenceText.meaning(setting.meaning, usually: setting.usual)
            )
        }
        let head = "\(style.paint(mechanism.name, .bold)) mechanism (docs/PINS.md#policy-documents)"
        let meaning = ReferenceText.lines([ReferenceText.Entry(name: "", meaning: mechanism.meaning)])
        return ([head] + meaning + ReferenceText.lines(settings)).joined(separator: "\n")
    }
}

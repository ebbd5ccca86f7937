import PinholeLab

/// What went through and what raised an alarm, in sentences: what would have caught it, what avoids it.
struct MatrixFindings {
    private let report: LabReport
    private let style: Style
    private let width: Int

    /// Creates the text.
    init(_ report: LabReport, style: Style, width: Int) {
        self.report = report
        self.style = style
        self.width = width
    }

    /// The lines; those of the user's own policies are told cell by cell, the others scenario by scenario.
    var lines: [String] { ownLines + builtInLines + inconclusiveLines }

    private var ownLines: [String] {
        report.policies.filter { $0.stance == .own }.flatMap { policy in
            let cells = report.cells.filter {
                $0.policy == policy.id && !$0.isAsExpected && $0.outcome != .inconclusive
            }
            let title = style.paint("\(policy.id): \(policy.title)", .bold)
            guard !cells.isEmpty else { return ["", title, "  as a correct client"] }
            return ["", title]
                + cells.flatMap { cell in
                    let scenario = report.scenarios.first { $0.id == cell.scenario }
                    let head = "\(cell.outcome.title) \(cell.scenario)"
                    return ["  \(painted(head, cell.outcome)) \(scenario?.title ?? "")"]
                        + paragraph(cell.reason, indent: 4)
                }
        }
    }

    private var builtInLines: [String] {
        let rows = Set(report.policies.filter { $0.stance != .own }.map(\.id))
        return report.scenarios.flatMap { scenario -> [String] in
            let cells = report.cells.filter { $0.scenario == scenario.id && rows.contains($0.policy) }
            let wrong: LabOutcome = scenario.kind == .attack ? .missed : .falseAlarm
            let names = cells.filter { $0.outcome == wrong }.map(\.policy)
            guard !names.isEmpty else { return [] }
            let who = names.count == cells.count ? "every policy" : names.joined(separator: " ")
            let verb = scenario.kind == .attack ? "missed by" : "false alarm by"
            let help = scenario.kind == .attack ? "what catches it" : "what avoids it"
            return ["", "\(style.paint(scenario.id, .bold)) \(scenario.title)"]
                + paragraph("\(verb): \(who)", indent: 4)
                + paragraph("\(help): \(scenario.remedy)", indent: 4)
        }
    }

    private var inconclusiveLines: [String] {
        let cells = report.inconclusive
        guard !cells.isEmpty else { return [] }
        var byReason: [String: [String]] = [:]
        for cell in cells { byReason[cell.reason, default: []].append("\(cell.policy) × \(cell.scenario)") }
        return ["", style.paint("inconclusive", .cyan)]
            + byReason.sorted { $0.value.count > $1.value.count }.flatMap { reason, cells in
                paragraph("\(cells.joined(separator: ", ")): \(reason)", indent: 4)
            }
    }

    private func painted(_ text: String, _ outcome: LabOutcome) -> String {
        style.paint(text, outcome == .missed ? .red : .yellow)
    }

    private func paragraph(_ text: String, indent: Int) -> [String] {
        let margin = String(repeating: " ", count: indent)
        return TextLayout.wrap(Plain.printable(text), max(40, width - indent)).map { margin + $0 }
    }
}

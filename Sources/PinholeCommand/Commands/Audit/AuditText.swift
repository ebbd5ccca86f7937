import PinholeLab
import PinholeTrust

/// An audit as people read it: a line for each scenario with what was seen, then what it comes to.
struct AuditText {
    let style: Style

    private static let columns = (scenario: 4, expected: 10, outcome: 13, signal: 38)

    /// The line above the scenarios.
    var heading: String {
        style.paint(Self.row("ID", "EXPECTED", "OUTCOME", "ON THE WIRE", "SCENARIO"), .faint)
    }

    /// A scenario: what was to be expected, what came, and what was seen.
    func cell(_ cell: LabCell, _ scenario: Scenario) -> String {
        let signal = cell.observations.decisive?.signal?.name ?? "no connection"
        let outcome = Self.pad(cell.outcome.title, Self.columns.outcome)
        let columns = [
            Self.pad(cell.scenario, Self.columns.scenario),
            Self.pad(cell.expected.title, Self.columns.expected),
            style.paint(outcome, colour(of: cell)),
            Self.pad(cell.observations.isEmpty ? "not run" : signal, Self.columns.signal),
            scenario.title,
        ]
        let line = columns.joined(separator: " ")
        // Why nothing was run is the same for all, and stands at the end.
        guard !cell.observations.isEmpty else { return line }
        return line + "\n     " + style.paint(Plain.printable(cell.reason), .faint)
    }

    /// The reason why a program cannot be audited, which the report gives first.
    ///
    /// - Parameters:
    ///   - honest: The behaviour of the program with the honest server.
    ///   - command: The program and its arguments.
    /// - Returns: The reason and what to do, a line each.
    func obstacle(_ honest: Observation, _ command: [String]) -> String {
        let takesAddress = command.isEmpty || AuditPlaceholders.leads(command)
        let remedy =
            takesAddress
            ? "See that it sends a request to the server of {url}, and that it uses the proxy of its environment (or --listen)."
            : "Its command has no {url}: write {url} where the program takes the URL that it asks."
        let reason =
            "The program did not send its request to the honest server, so nothing can be said of it: \(honest.summary)"
        return [reason, remedy].map { style.paint(Plain.printable($0), .yellow) }.joined(separator: "\n")
            + "\n"
    }

    /// What it comes to.
    func summary(_ audit: AuditReport) -> String {
        let cells = audit.report.cells
        guard audit.isControlled else {
            let count = cells.count == 1 ? "the scenario is" : "all \(cells.count) scenarios are"
            let text = style.paint("nothing was run, \(count) inconclusive", .yellow)
            return text
        }
        var parts = ["\(cells.count { $0.isAsExpected }) of \(cells.count) as expected"]
        let missed = audit.report.missed
        let alarms = audit.report.falseAlarms
        let unknown = audit.report.inconclusive
        let noticed = cells.filter { $0.expected == .missed && $0.outcome == .detected }
        for (cells, name) in [
            (missed, "missed"), (alarms, alarms.count == 1 ? "false alarm" : "false alarms"),
            (unknown, "inconclusive"),
            (noticed, "refused though nothing is different"),
        ] where !cells.isEmpty {
            parts.append("\(cells.count) \(name) (\(cells.map(\.scenario).joined(separator: ", ")))")
        }
        return (audit.remarks.map(Plain.printable) + [parts.joined(separator: ", ")]).joined(separator: "\n")
    }

    private func colour(of cell: LabCell) -> Style.Colour {
        if cell.outcome == .inconclusive { return .yellow }
        return cell.isAsExpected ? .green : .red
    }

    private static func row(
        _ scenario: String,
        _ expected: String,
        _ outcome: String,
        _ signal: String,
        _ title: String
    ) -> String {
        [
            pad(scenario, columns.scenario), pad(expected, columns.expected), pad(outcome, columns.outcome),
            pad(signal, columns.signal), title,
        ].joined(separator: " ")
    }

    private static func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}

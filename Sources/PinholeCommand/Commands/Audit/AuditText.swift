import PinholeLab
import PinholeSession

/// An audit as text for users: a line and a reason for each scenario, then a summary.
struct AuditText {
    let style: Style
    /// The columns of the terminal; `nil` to wrap nothing.
    let width: Int?

    private static let widths = (scenario: 4, expected: 10, outcome: 13, signal: 38)
    /// The columns that a line with the signal takes; in a narrower terminal, the signal is in the next line.
    private static let widest = 114

    private var isNarrow: Bool { width.map { $0 < Self.widest } ?? false }

    /// The line above the scenarios.
    var heading: String {
        style.paint(row("ID", "EXPECTED", "OUTCOME", "ON THE WIRE", "SCENARIO"), .faint)
    }

    /// Returns the line of a scenario, with the expected outcome and the real one, and the reason below it.
    func cell(_ cell: LabCell, _ scenario: Scenario) -> String {
        let signal = cell.observations.decisive?.signal?.name ?? "no connection"
        let line = row(
            cell.scenario,
            cell.expected.title,
            style.paint(cell.outcome.title.padded(to: Self.widths.outcome), colour(of: cell)),
            cell.observations.isEmpty ? "not run" : signal,
            scenario.title
        )
        // The reason why no scenario was run is the same for all, so the summary has it.
        guard !cell.observations.isEmpty else { return line }
        let reason = Plain.printable(isNarrow ? "\(signal): \(cell.reason)" : cell.reason)
        return line + "\n" + TextLayout.hanging("     " + style.paint(reason, .faint), width, hang: 5)
    }

    /// Returns the reason why a program cannot be audited, which precedes the report.
    ///
    /// - Parameters:
    ///   - honest: The behaviour of the program with the honest server.
    ///   - command: The program and its arguments.
    /// - Returns: The reason and the remedy, a line each.
    func obstacle(_ honest: Observation, _ command: [String]) -> String {
        if let remark = honest.unprotectedRemark { return style.paint(Plain.printable(remark), .red) + "\n" }
        let takesAddress = command.isEmpty || AuditPlaceholders.leads(command)
        let remedy =
            takesAddress
            ? "Make sure that the program sends a request to the server of {url}, by the proxy of its environment (or --listen)."
            : "The command has no {url}: write {url} in the place of the URL that the program asks for."
        let reason =
            "The program did not send its request to the honest server, so the audit proves nothing: \(honest.summary)"
        return [reason, remedy].map { style.paint(Plain.printable($0), .yellow) }.joined(separator: "\n")
            + "\n"
    }

    /// Returns the summary: the number of cells as expected, and the names of the others.
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

    private func row(
        _ scenario: String,
        _ expected: String,
        _ outcome: String,
        _ signal: String,
        _ title: String
    ) -> String {
        let columns = [
            scenario.padded(to: Self.widths.scenario), expected.padded(to: Self.widths.expected),
            outcome.padded(to: Self.widths.outcome), signal.padded(to: Self.widths.signal), title,
        ]
        return columns.enumerated().filter { $0.offset != 3 || !isNarrow }.map(\.element)
            .joined(separator: " ")
    }
}

import PinholeLab
import PinholeModel

/// A run of the lab as SARIF: a rule for each scenario, a result for each miss and false alarm.
///
/// An outcome that an expectation allows is no result; a difference from the expectation is one. A cell that is
/// inconclusive or was not run is no result either, but the report then says that the run was no success.
struct SARIFReport {
    let run: JudgedRun
    private var document: LabDocument { run.document }

    /// The rules of the scenarios and the results of the cells, to be written.
    var log: SARIFLog {
        let standings = run.reported.flatMap { row, cells in
            cells.map { (row: row, cell: $0, standing: run.standing(of: $0)) }
        }
        let results = standings.compactMap { row, cell, standing -> SARIFLog.Result? in
            if case .unexpected(let what) = standing { result(row, cell, what) } else { nil }
        }
        // Faults that are reported and not judged, because the profile leaves out their grade.
        let noted = standings.compactMap { _, cell, standing -> LabDocument.Cell? in
            if case .noted = standing { cell } else { nil }
        }
        let inconclusive = document.cells.filter {
            if case .inconclusive = run.standing(of: $0) { true } else { false }
        }
        let hosts = (run.openHosts + run.questions).map(result)
        let used = Set(hosts.map(\.rule))
        return SARIFLog(
            tool: "pinhole lab",
            fingerprints: "pinholeCell/v1",
            rules: document.scenarios.map(rule) + Self.hostRules.filter { used.contains($0.id) },
            results: results + hosts,
            gaps: inconclusive.map { "\($0.place): \($0.reason)" } + run.runGaps + run.recordGaps
        ) { text in
            text.member("profile", run.profile.rawValue)
            text.member("notJudged", objects: noted) { text, cell in
                text.member("policy", cell.place.policy)
                text.member("scenario", cell.place.scenario)
                text.member("grade", cell.grade.rawValue)
                text.member("outcome", cell.outcome.rawValue)
            }
        }
    }

    /// The rules about hosts of policy files.
    private static let hostRules = [
        SARIFLog.Rule(
            id: JudgedHost.State.notPinned.rawValue,
            title: "A host of a policy file is open",
            help: "Pin the host, or remove the exception.",
            level: "error",
            tags: ["security", "tls", "pinning"]
        ),
        SARIFLog.Rule(
            id: JudgedHost.State.notProven.rawValue,
            title: "A policy file does not decide what a client accepts",
            help: "Write the value itself, or accept the place: --accept-unproven FILE:LINE.",
            level: "warning",
            tags: ["security", "tls", "pinning"]
        ),
    ]

    private func result(_ host: JudgedHost) -> SARIFLog.Result {
        let state: JudgedHost.State = host.isQuestion ? .notProven : .notPinned
        return SARIFLog.Result(
            rule: state.rawValue,
            level: host.isQuestion ? "warning" : "error",
            message: "\(host.place): \(host.sentence)",
            file: document.policies.first { $0.id == host.policy }?.file ?? "pinhole/\(host.policy)",
            line: host.line,
            element: [
                ("name", host.policy), ("fullyQualifiedName", "policy/\(host.policy)"), ("kind", "object"),
            ],
            fingerprint: "\(host.policy)/\(host.title)/\(host.state.rawValue)/\(host.sentence)"
        )
    }

    private func rule(_ column: LabColumn) -> SARIFLog.Rule {
        let references = column.references.joined(separator: "; ")
        return SARIFLog.Rule(
            id: column.id,
            title: column.title,
            description: "Presented: \(column.presents). Needed: \(column.precondition). "
                + "A correct client: \(column.correctClient).",
            help: "What helps: \(column.remedy). Known from: \(references).",
            level: column.kind == .attack ? "error" : "warning",
            tags: ["security", "tls", "pinning", column.kind.rawValue]
        )
    }

    private func result(
        _ row: LabDocument.Row,
        _ cell: LabDocument.Cell,
        _ what: String
    ) -> SARIFLog.Result {
        SARIFLog.Result(
            rule: cell.place.scenario,
            level: level(cell, row),
            message: "\(row.id) (\(row.title)): \(what). \(cell.reason)\(row.advice.map { " \($0)" } ?? "")",
            grade: cell.grade.rawValue,
            // GitHub refuses results without a file, so a row without a file gets an invented name.
            file: row.file ?? "pinhole/\(row.id)",
            line: row.line,
            element: [
                ("name", row.id), ("fullyQualifiedName", "policy/\(row.id)"), ("kind", "object"),
            ],
            fingerprint: "\(row.id)/\(cell.place.scenario)/\(cell.outcome.rawValue)"
        )
    }

    /// Chooses the SARIF level of a cell.
    ///
    /// An attack that goes through is worse than a false alarm, and the user's own policy matters more than rows that
    /// are there for comparison. A cell that is better than the recorded one is only a note.
    private func level(_ cell: LabDocument.Cell, _ row: LabDocument.Row) -> String {
        guard cell.isFault else { return "note" }
        return switch (row.stance, cell.outcome) {
        case (.own, .missed): "error"
        case (.own, _), (.inUse, .missed): "warning"
        default: "note"
        }
    }
}

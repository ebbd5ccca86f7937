import PinholeLab
import PinholeModel

/// SARIF 2.1.0, as code scanning reads it: a rule for each scenario, a result for each miss and false alarm.
///
/// An outcome that an expectation allows is no result; a difference from the expectation is one. A cell that is
/// inconclusive or was not run is no result either, but the report then says that the run was no success.
struct SARIFReport {
    private let document: LabDocument
    private let directory: String
    private let judge: CellJudge
    private let missing: RunGaps
    private let profile: LabProfile

    /// Creates the report of a run.
    ///
    /// - Parameters:
    ///   - document: The run.
    ///   - directory: The root of the repository: files below it are named from there.
    ///   - expectation: The recorded expectation.
    ///   - profile: The grades that count for cells without an expectation.
    ///   - isPart: Whether it is one part of a divided run; then the other parts are no loss.
    init(
        _ document: LabDocument,
        below directory: String = "",
        expectation: Expectation? = nil,
        profile: LabProfile = .baseline,
        isPart: Bool = false
    ) {
        self.document = document
        self.directory = directory
        self.profile = profile
        judge = CellJudge(reporting: document, expectation, profile)
        missing = RunGaps(document, expectation, isPart: isPart)
    }

    /// The text of the JSON document.
    var text: String {
        var text = JSONText()
        text.object { text in
            text.member("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
            text.member("version", "2.1.0")
            text.member("runs", list: [document]) { text, _ in
                text.object { text in
                    text.member("tool") { text in
                        text.member("driver") { text in
                            text.member("name", "pinhole lab")
                            text.member("rules", list: document.scenarios) { write($1, to: &$0) }
                        }
                    }
                    text.member("invocations", list: [document]) { text, _ in writeInvocation(to: &text) }
                    text.member("columnKind", "unicodeCodePoints")
                    text.member("results", list: results) { write($1, to: &$0) }
                    text.member("properties") { text in
                        text.member("profile", profile.rawValue)
                        text.member("notJudged", list: noted) { text, cell in
                            text.object { text in
                                text.member("policy", cell.place.policy)
                                text.member("scenario", cell.place.scenario)
                                text.member("grade", cell.grade.rawValue)
                                text.member("outcome", cell.outcome.rawValue)
                            }
                        }
                    }
                }
            }
        }
        return text.text + "\n"
    }

    /// A cell that is not as expected.
    private struct Finding {
        let row: LabDocument.Row
        let cell: LabDocument.Cell
        let what: String
    }

    private var results: [Finding] {
        judge.cells(of: document).flatMap { row, cells in
            cells.compactMap { cell in
                guard case .unexpected(let what) = judge.standing(of: cell) else { return nil }
                return Finding(row: row, cell: cell, what: what)
            }
        }
    }

    /// Faults that are reported and not judged, because the profile leaves out their grade.
    private var noted: [LabDocument.Cell] {
        judge.cells(of: document).flatMap { _, cells in
            cells.filter { cell in if case .noted = judge.standing(of: cell) { true } else { false } }
        }
    }

    /// The reasons why the run is incomplete: inconclusive cells, missing cells and missing parts.
    private var gaps: [String] {
        document.cells.filter { cell in
            if case .inconclusive = judge.standing(of: cell) { true } else { false }
        }.map { "\($0.place): \($0.reason)" }
            + missing.run + missing.record
    }

    private func writeInvocation(to text: inout JSONText) {
        let gaps = gaps
        text.object { text in
            text.member("executionSuccessful", gaps.isEmpty)
            text.member("toolExecutionNotifications", list: gaps) { text, gap in
                text.object { text in
                    text.member("level", "error")
                    text.member("message") { $0.member("text", gap) }
                }
            }
        }
    }

    private func write(_ column: LabColumn, to text: inout JSONText) {
        text.object { text in
            text.member("id", column.id)
            text.member("shortDescription") { $0.member("text", column.title) }
            text.member("fullDescription") { text in
                text.member(
                    "text",
                    "Presented: \(column.presents). Needed: \(column.precondition). "
                        + "A correct client: \(column.correctClient)."
                )
            }
            let references = column.references.joined(separator: "; ")
            text.member("help") { text in
                text.member("text", "What helps: \(column.remedy). Known from: \(references).")
            }
            text.member("defaultConfiguration") { text in
                text.member("level", column.kind == .attack ? "error" : "warning")
            }
            text.member("properties") { text in
                text.member("tags", strings: ["security", "tls", "pinning", column.kind.rawValue])
            }
        }
    }

    private func write(_ finding: Finding, to text: inout JSONText) {
        let (cell, row) = (finding.cell, finding.row)
        text.object { text in
            text.member("ruleId", cell.place.scenario)
            if let index = document.scenarios.firstIndex(where: { $0.id == cell.place.scenario }) {
                text.member("ruleIndex", index)
            }
            text.member("level", level(cell, row))
            text.member("message") { text in
                text.member(
                    "text",
                    "\(row.id) (\(row.title)): \(finding.what). \(cell.reason)\(row.advice.map { " \($0)" } ?? "")"
                )
            }
            text.member("properties") { $0.member("grade", cell.grade.rawValue) }
            text.member("locations", list: [row]) { write(location: $1, to: &$0) }
            text.member("partialFingerprints") { text in
                let cell = "\(row.id)/\(cell.place.scenario)/\(cell.outcome.rawValue)"
                // GitHub compares this fingerprint. Without it, GitHub would take all results in one line for the same.
                text.member("primaryLocationLineHash", cell)
                text.member("pinholeCell/v1", cell)
            }
        }
    }

    private func write(location row: LabDocument.Row, to text: inout JSONText) {
        text.object { text in
            // GitHub refuses results without a file, so a row without a file gets an invented name.
            let place = SARIFPlace(row.file ?? "pinhole/\(row.id)", line: row.line, below: directory)
            place.write(to: &text)
            text.member("logicalLocations", list: [row]) { text, row in
                text.object { text in
                    text.member("name", row.id)
                    text.member("fullyQualifiedName", "policy/\(row.id)")
                    text.member("kind", "object")
                }
            }
        }
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

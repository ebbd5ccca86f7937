import PinholeLab
import PinholeReports
import PinholeSession

/// The accepted attacks and false alarms in sentences, with the remedies.
struct MatrixFindings {
    let document: LabDocument
    let style: Style
    let width: Int
    var profile: LabProfile = .baseline
    var isVerbose: Bool = true
    /// The most cells of one row that are listed without `--verbose`.
    private static let mostFaults = 10

    /// The lines: for the user's own policies by cell, for the others by scenario.
    var lines: [String] {
        notes + ownLines + (isVerbose ? builtInLines : []) + inconclusiveLines + hostLines + questionLines
    }

    /// The hosts of the user's policy files, a line each.
    private var hostLines: [String] {
        let hosts = document.hosts.filter { $0.state != .notProven }
        var files: [String] = []
        for host in hosts where !files.contains(host.policy) { files.append(host.policy) }
        return files.flatMap { file -> [String] in
            let own = hosts.filter { $0.policy == file }
            let titles = own.map { Plain.printable($0.title) }
            let room = min(40, titles.map { TextLayout.columns(of: $0) }.max() ?? 0)
            return ["", style.paint("hosts of \(Plain.printable(file))", .bold)]
                + zip(titles, own).map { title, host in
                    let text = Plain.printable(document.sentence(of: host, profile))
                    let isFaulty = document.isFaulty(host, profile)
                    return "  \(title.padded(to: room))  \(isFaulty ? style.paint(text, .red) : text)"
                }
        }
    }

    /// The questions that policy files do not decide.
    private var questionLines: [String] {
        let questions = document.hosts.filter { $0.state == .notProven }
        guard !questions.isEmpty else { return [] }
        return ["", style.paint("not proven", .cyan)]
            + questions.flatMap { question in
                let line = question.line.map { ":\($0)" } ?? ""
                return paragraph("\(question.policy)\(line): \(question.sentence)", indent: 2)
            }
    }

    /// The assumptions about the rows.
    private var notes: [String] {
        document.policies.filter { !$0.notes.isEmpty }.flatMap { row in
            ["", style.paint(Plain.printable(row.id), .bold)]
                + row.notes.flatMap { paragraph($0, indent: 4) }
        }
    }

    private var ownLines: [String] {
        document.policies.filter { $0.stance == .own }.flatMap { policy in
            let title = style.paint(Plain.printable("\(policy.id): \(policy.title)"), .bold)
            let grades = LabGrade.allCases.flatMap { gradeLines(policy, $0) }
            return grades.isEmpty ? [] : ["", title] + grades
        }
    }

    /// Returns the lines for the cells of one grade: a line for each cell that counts, only names for the others.
    private func gradeLines(_ policy: LabDocument.Row, _ grade: LabGrade) -> [String] {
        let tally = GradeTally(document, policy, grade)
        guard tally.total > 0 else { return [] }
        let counts = profile.judges(grade)
        let suffix = counts ? "" : ", not judged"
        let head = "\(TextLayout.fit(grade.rawValue, 6)) \(tally.right) of \(tally.total) as a correct client"
        let faults = counts || isVerbose || tally.wrong.isEmpty ? "" : "; \(tally.faults)"
        let lines = paragraph("\(head) (\(grade.title)\(suffix))\(faults)", indent: 2)
        guard counts || isVerbose else { return lines }
        let cells = tally.wrong.filter { $0.outcome != .inconclusive }
        let told = isVerbose ? cells[...] : cells.prefix(Self.mostFaults)
        return lines
            + told.flatMap { cell in
                let scenario = document.scenarios.first { $0.id == cell.place.scenario }
                let head = "\(cell.outcome.title) \(cell.place.scenario)"
                let line = "    \(painted(head, cell.outcome)) \(scenario?.title ?? "")"
                // The reason names pins that the lab makes for one run, so only `--verbose` shows it.
                return [line] + (isVerbose ? paragraph(cell.reason, indent: 6) : [])
            }
            + (told.count < cells.count ? ["    and \(cells.count - told.count) more (--verbose)"] : [])
    }

    private var builtInLines: [String] {
        let rows = Set(document.policies.filter { $0.stance != .own }.map(\.id))
        return document.scenarios.flatMap { scenario -> [String] in
            let cells = document.cells.filter {
                $0.place.scenario == scenario.id && rows.contains($0.place.policy)
            }
            let wrong: LabOutcome = scenario.kind == .attack ? .missed : .falseAlarm
            let names = cells.filter { $0.outcome == wrong }.map(\.place.policy)
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
        let cells = document.cells.filter { $0.outcome == .inconclusive }
        guard !cells.isEmpty else { return [] }
        var byReason: [String: [String]] = [:]
        for cell in cells {
            byReason[cell.reason, default: []].append("\(cell.place.policy) × \(cell.place.scenario)")
        }
        return ["", style.paint("inconclusive", .cyan)]
            + byReason.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.flatMap {
                reason,
                cells in
                paragraph("\(Self.shortened(cells)): \(reason)", indent: 4)
            }
    }

    /// Returns the first few of many names.
    private static func shortened(_ cells: [String]) -> String {
        cells.count <= 6
            ? cells.joined(separator: ", ")
            : "\(cells.prefix(5).joined(separator: ", ")) and \(cells.count - 5) more"
    }

    private func painted(_ text: String, _ outcome: LabOutcome) -> String {
        style.paint(text, outcome == .missed ? .red : .yellow)
    }

    private func paragraph(_ text: String, indent: Int) -> [String] {
        let margin = String(repeating: " ", count: indent)
        return TextLayout.wrap(Plain.printable(text), max(40, width - indent)).map { margin + $0 }
    }
}

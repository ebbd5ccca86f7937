import PinholeLab

/// The verdict on a run, for a machine that only looks at the exit status.
package struct LabVerdict: Sendable, Hashable {
    /// The exit status.
    package enum Status: Sendable, Hashable {
        /// Everything is as expected.
        case asExpected
        /// The user's own policy misses an attack or refuses a legitimate change, or a cell differs from the
        /// expectation.
        case unexpected
        /// A policy file does not decide a question that nobody has accepted; the rest is as expected.
        case unproven
        /// Something could not be run, or some cells are inconclusive; this is never a success.
        case inconclusive

        /// The word for people, in capitals.
        package var word: String {
            switch self {
            case .asExpected: "OK"
            case .unexpected: "FAILED"
            case .unproven: "NOT PROVEN"
            case .inconclusive: "INCONCLUSIVE"
            }
        }

        /// The number with which the program ends.
        package var exitCode: Int32 {
            switch self {
            case .asExpected: 0
            case .unexpected: 1
            case .unproven, .inconclusive: 3
            }
        }
    }

    /// The verdict on one row of the user's own policies.
    package struct Part: Sendable, Hashable {
        /// The row: a policy, or a host of it.
        package let row: String
        /// The result of the row.
        package let status: Status
        /// The reason, or the count of scenarios.
        package let text: String
    }

    /// The result, which decides the exit code.
    package let status: Status
    /// The reasons, a line each; empty if everything is as expected.
    package let reasons: [String]
    /// The reasons in few lines: cells of a row with the same outcome share one.
    package let summary: [String]
    /// The reasons that name missing cells and missing parts.
    package let gaps: [String]
    /// The verdict in one line, which ends every run.
    package let headline: String
    /// The verdicts on the user's own rows, in the order of the rows; hosts that have to be pinned and are not follow.
    package let parts: [Part]

    /// The verdict in one line beside a table of ``parts``.
    package var total: String {
        guard headline.hasPrefix("FAILED: "), parts.count > 1 else { return headline }
        return "FAILED: \(parts.count { $0.status == .unexpected }) of \(parts.count)"
    }

    /// Judges a run.
    ///
    /// For a cell with a recorded expectation, only the expectation counts, so a known miss is not reported
    /// again. The rows that come with the lab count only by an expectation.
    ///
    /// - Parameter run: The run and the settings that it is judged by.
    init(_ run: JudgedRun) {
        let document = run.document
        var unexpected: [CellRemark] = []
        var unsaid: [CellRemark] = []
        var noted = 0
        var asExpected = 0
        var counts: [String: Int] = [:]
        let own = run.isPart ? [] : document.policies.filter { $0.stance == .own }
        let judged = Set(own.map(\.id))
        for cell in document.cells {
            switch run.standing(of: cell, judging: judged) {
            case .unjudged: break
            case .asExpected where cell.grade == .must || run.profile.judges(cell.grade):
                asExpected += 1
                counts[cell.place.policy, default: 0] += 1
            case .asExpected: break
            case .noted: noted += 1
            case .unexpected(let what):
                unexpected.append(CellRemark(place: cell.place, what: what, reason: cell.reason))
            case .inconclusive(let why):
                unsaid.append(CellRemark(place: cell.place, what: why, reason: ""))
            }
        }
        let lost = run.recordGaps
        var others = lost
        // More parts than there are scenarios leave some with none.
        // A file that decides nothing is a question, and there was nothing to run.
        let isUndecided = document.scenarios.isEmpty && !run.questions.isEmpty
        if document.cells.isEmpty, !isUndecided, !run.isPart || !document.scenarios.isEmpty {
            others.append("nothing was run")
        }
        if let obstacle = run.obstacle { others.append(obstacle) }
        let isSilent = asExpected == 0 && unexpected.isEmpty && unsaid.isEmpty
        if isSilent, document.cells.contains(where: { $0.outcome == .inconclusive }) {
            others.append("no cell gave a verdict, and some are inconclusive")
        }
        gaps = run.runGaps
        others += gaps
        let faults = own.compactMap { row in row.fault.map { "\(row.id) \($0)" } }
        let open = run.isPart ? [] : run.openHosts.map { "\($0.place): \($0.sentence)" }
        let changed = run.comparison?.changedHosts ?? []
        let questions = run.isPart ? [] : run.questions.map(Self.text)
        let isUnexpected = !unexpected.isEmpty || !faults.isEmpty || !open.isEmpty || !changed.isEmpty
        status =
            isUnexpected
            ? .unexpected
            : !unsaid.isEmpty || !others.isEmpty
                ? .inconclusive : questions.isEmpty ? .asExpected : .unproven
        reasons = faults + open + changed + (unexpected + unsaid).map(\.line) + questions + others
        // Reasons that make the comparison itself doubtful come first.
        summary =
            lost + faults + open + changed + CellRemark.lines(unexpected) + CellRemark.lines(unsaid)
            + questions + others.dropFirst(lost.count)
        parts =
            own.map { row in
                let unproven = run.questions.first { !run.isPart && $0.policy == row.id }
                let missing = unsaid.count { $0.place.policy == row.id }
                return if let fault = Self.fault(of: row, unexpected) {
                    Part(row: row.id, status: .unexpected, text: fault)
                } else if missing > 0 {
                    Part(
                        row: row.id,
                        status: .inconclusive,
                        text: "\(Self.cells(missing)) without an outcome"
                    )
                } else if let unproven {
                    Part(row: row.id, status: .unproven, text: unproven.sentence)
                } else {
                    Part(row: row.id, status: .asExpected, text: "\(counts[row.id] ?? 0) scenarios")
                }
            }
            + (run.isPart
                ? []
                : run.openHosts.map { host in
                    Part(row: host.place, status: .unexpected, text: host.sentence)
                })
        headline = Self.headline(
            status,
            run,
            own: own,
            unexpected: unexpected,
            unsaid: unsaid,
            open: open + changed,
            questions: questions,
            others: others,
            scope: "\(asExpected) of \(asExpected) scenarios (profile \(run.profile.rawValue))"
                + (noted == 0 ? "" : "; \(noted) more are reported and do not count")
        )
    }

    /// The text of a question that a policy file does not decide.
    private static func text(of question: JudgedHost) -> String {
        let line = question.line.map { ":\($0)" } ?? ""
        return "\(question.policy)\(line): \(question.sentence)"
    }

    /// The hosts of an OK: their number if there are several, and the names of those that are not pinned.
    private static func hosts(_ document: LabDocument) -> (pinned: String, open: String) {
        let pinned = document.hosts.count { $0.row != nil && !$0.title.hasPrefix("*.") }
        let exempted = document.hosts.filter { $0.state == .notPinned && $0.line != nil && $0.row == nil }
        let names = exempted.prefix(4).map { (host: JudgedHost) -> String in
            guard let line = host.line else { return host.title }
            return "\(host.title) (line \(line))"
        }
        let rest = exempted.count > names.count ? " and \(exempted.count - names.count) more" : ""
        let open = names.isEmpty ? "" : "; not pinned: \(names.joined(separator: ", "))\(rest)"
        return (pinned > 1 ? "\(pinned) hosts " : "", open)
    }

    private static func headline(
        _ status: Status,
        _ run: JudgedRun,
        own: [LabDocument.Row],
        unexpected: [CellRemark],
        unsaid: [CellRemark],
        open: [String],
        questions: [String],
        others: [String],
        scope: String
    ) -> String {
        let (document, comparison) = (run.document, run.comparison)
        let compared = document.cells.count - (comparison.map { $0.new.count + $0.silent.count } ?? 0)
        let ran = "\(cells(document.cells.count)) \(document.cells.count == 1 ? "was" : "were") run"
        switch status {
        case .asExpected where comparison != nil: return "OK: \(cells(compared)) as recorded"
        case .asExpected where !own.isEmpty:
            let hosts = hosts(document)
            return "OK: \(hosts.pinned)as a correct client in \(scope)\(hosts.open)"
        case .unproven:
            let rest = questions.count > 1 ? " (and \(questions.count - 1) more)" : ""
            return "NOT PROVEN: \(questions.first ?? "")\(rest)"
        case .asExpected where document.missingShards.isEmpty:
            return "OK: \(ran); the rows that come with the lab are not judged"
        case .asExpected:
            return "OK: \(ran); pinhole lab merge gives the verdict"
        case .unexpected:
            // A row that refuses its own server has no cells that could differ.
            if let comparison, comparison.differences.count == unexpected.count,
                !unexpected.isEmpty || !open.isEmpty
            {
                let hosts = comparison.changedHosts.count
                let parts = [
                    unexpected.isEmpty ? nil : "\(unexpected.count) of \(cells(compared))",
                    hosts == 0 ? nil : "\(hosts) \(hosts == 1 ? "host" : "hosts")",
                ]
                let text = parts.compactMap(\.self).joined(separator: ", ")
                if !text.isEmpty { return "CHANGED: \(text)" }
            }
            let rows = document.policies.compactMap { row in
                fault(of: row, unexpected).map { "\(row.id)\(row.fault == nil ? ":" : "") \($0)" }
            }
            let ends = open.map { $0.hasSuffix(".") ? $0 : "\($0)." }
            return "FAILED: \((rows + ends).joined(separator: " "))"
        case .inconclusive:
            guard let first = others.first else {
                return "INCONCLUSIVE: \(unsaid.count) of \(cells(document.cells.count)) have no outcome"
            }
            return "INCONCLUSIVE: \(first)"
        }
    }

    private static func cells(_ count: Int) -> String { "\(count) \(count == 1 ? "cell" : "cells")" }

    /// The faults of a row and the change that repairs them; `nil` for a row without faults.
    private static func fault(of row: LabDocument.Row, _ unexpected: [CellRemark]) -> String? {
        let advice = row.advice.map { " \($0)" } ?? ""
        if let fault = row.fault { return "\(fault.hasSuffix(".") ? fault : fault + ".")\(advice)" }
        let cells = unexpected.filter { $0.place.policy == row.id }
        guard !cells.isEmpty else { return nil }
        var order: [String] = []
        for cell in cells where !order.contains(cell.what) { order.append(cell.what) }
        let parts = order.map { what in
            let names = cells.filter { $0.what == what }.map(\.place.scenario)
            let rest = names.count > 4 ? " and \(names.count - 4) more" : ""
            return "\(what) in \(names.prefix(4).joined(separator: ", "))\(rest)"
        }
        return "\(parts.joined(separator: "; ")).\(advice)"
    }
}

import PinholeLab
import PinholeModel

extension HTMLReport {
    /// The attacks that pinning is for.
    private static let gain = Scenario.catalogue.filter { $0.measure == .gain }.map(\.id)
    /// The changes of a good server that pinning may refuse.
    private static let cost = Scenario.catalogue.filter { $0.measure == .cost }.map(\.id)

    /// The section with the numbers of the run: a line for each row.
    var summary: String {
        let rows = Self.sections(self.rows).map { title, rows in
            """
            <tbody><tr class="group"><th scope="rowgroup" colspan="8">\(title)</th></tr>
            \(rows.map(line).joined(separator: "\n"))
            </tbody>
            """
        }
        return """
            <section id="summary" aria-labelledby="summary-title">
            <h2 id="summary-title">Summary</h2>
            <ul class="counts">\(cards)</ul>
            <div class="scroll" role="region" aria-label="Summary table" tabindex="0"><table class="numbers">
            <caption><span>A policy is of use when it detects \(Self.gain.joined(separator: ", ")) (the gain of \
            pinning) and stays quiet in L01 to L06 (its cost).</span></caption>
            <thead><tr><th scope="col">policy</th><th scope="col">what it is</th>\
            <th scope="col">detected</th><th scope="col">missed</th><th scope="col">false alarms</th>\
            <th scope="col">inconclusive</th><th scope="col">gain</th><th scope="col">cost</th></tr></thead>
            \(rows.joined(separator: "\n"))
            </table></div>
            \(grades)
            </section>
            """
    }

    /// The cells of the user's own rows by grade; empty if there are no such rows.
    private var grades: String {
        let own = rows.filter { $0.stance == .own }
        guard !own.isEmpty else { return "" }
        let lines = own.map { row in
            let cells = LabGrade.allCases.map { grade in
                let tally = GradeTally(document, row, grade)
                let faults = tally.faults.isEmpty ? "" : "<br>\(MarkupText.escape(tally.faults))"
                return "<td data-label=\"\(grade.rawValue)\">\(tally.right) of \(tally.total)\(faults)</td>"
            }
            let advice = MarkupText.escape([row.fault, row.advice].compactMap(\.self).joined(separator: " "))
            return
                "<tr><th scope=\"row\">\(MarkupText.escape(row.id))</th>\(cells.joined())<td>\(advice)</td></tr>"
        }
        let heads = LabGrade.allCases.map { grade in
            "<th scope=\"col\">\(grade.rawValue)<br><small>\(grade.title)"
                + "\(profile.judges(grade) ? "" : ", not judged")</small></th>"
        }
        return """
            <div class="scroll" role="region" aria-label="Grades" tabindex="0"><table class="changes grades">
            <caption><span>What the mechanism of each policy can express decides what counts (profile \
            \(profile.rawValue)).</span></caption>
            <thead><tr><th scope="col">policy</th>\(heads.joined())<th scope="col">what to change</th></tr></thead>
            <tbody>\(lines.joined(separator: "\n"))</tbody>
            </table></div>
            """
    }

    /// The rows by their kinds, with headings.
    static func sections(_ rows: [LabDocument.Row]) -> [(title: String, rows: [LabDocument.Row])] {
        LabDocument.stances.compactMap { kind in
            let rows = rows.filter { $0.stance == kind.stance }
            return rows.isEmpty ? nil : (kind.title, rows)
        }
    }

    private var cards: String {
        let rowsByName = Dictionary(rows.map { ($0.id, $0) }) { first, _ in first }
        return LabMark.allCases.map { mark in
            // Faults that the profile does not judge are counted, but do not colour the number.
            let marked = document.cells.filter { $0.mark == mark }
            let isTold = marked.allSatisfy { cell in
                rowsByName[cell.place.policy].map { LabDocument.isOnlyReported(cell, of: $0, by: profile) }
                    == true
            }
            let colour = isTold && !marked.isEmpty ? LabMark.unnoticeable : mark
            return
                "<li class=\"\(colour.rawValue)\"><span class=\"sign\" aria-hidden=\"true\">\(mark.symbol)</span> "
                + "<b>\(document.count(mark))</b> \(mark.title)</li>"
        }.joined()
    }

    private func line(_ row: LabDocument.Row) -> String {
        let detected = document.count(.detected, in: row)
        let missed = document.count(.missed, in: row)
        let numbers = [
            ("detected", "\(detected) of \(detected + missed)"),
            ("missed", "\(missed)"),
            ("false alarms", "\(document.count(.falseAlarm, in: row))"),
            ("inconclusive", "\(document.count(.inconclusive, in: row))"),
        ]
        return
            "<tr><th scope=\"row\">\(MarkupText.escape(row.id))</th><td>\(MarkupText.escape(Self.sentences([row.title] + row.notes)))</td>"
            + numbers.map { "<td class=\"number\" data-label=\"\($0)\">\($1)</td>" }.joined()
            + "<td data-label=\"gain\">\(gain(row))</td><td data-label=\"cost\">\(cost(row))</td></tr>"
    }

    /// Joins texts; each but the last gets a full stop.
    static func sentences(_ texts: [String]) -> String {
        texts.enumerated().map { index, text in
            index < texts.count - 1 && !text.hasSuffix(".") ? "\(text)." : text
        }.joined(separator: " ")
    }

    private func gain(_ row: LabDocument.Row) -> String {
        let run = run(Self.gain, row)
        guard !run.isEmpty else { return "not run" }
        let missed = run.filter { $0.outcome != .detected }.map(\.place.scenario)
        let detected = "\(run.count - missed.count) of \(run.count)"
        return missed.isEmpty ? "<b>\(detected)</b>" : "\(detected); not \(missed.joined(separator: ", "))"
    }

    private func cost(_ row: LabDocument.Row) -> String {
        let run = run(Self.cost, row)
        guard !run.isEmpty else { return "not run" }
        let alarms = run.filter { $0.outcome != .accepted }.map(\.place.scenario)
        return alarms.isEmpty ? "<b>quiet</b>" : "alarm in \(alarms.joined(separator: ", "))"
    }

    private func run(_ scenarios: [String], _ row: LabDocument.Row) -> [LabDocument.Cell] {
        scenarios.compactMap { cells[LabDocument.Place(row.id, $0)] }
    }
}

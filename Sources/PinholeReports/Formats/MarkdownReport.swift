import PinholeLab
import PinholeModel

/// GitHub-flavoured Markdown that fits into a comment: the matrix, and below it the faults with their reasons.
///
/// With an expectation, the differences from it stand first. Columns are the policies, since there are fewer of them
/// than scenarios.
struct MarkdownReport {
    /// The characters that GitHub permits in one comment, less some reserve.
    static let limit = 65_000
    /// The lines that differences may take.
    private static let mostDifferences = 100

    let run: JudgedRun
    /// The most characters of the text.
    var limit = limit
    private var document: LabDocument { run.document }

    /// The Markdown, which is cut to GitHub's limit.
    var text: String {
        let head =
            [title, verdict, differences, hosts, counts, grades, table, legend].compactMap(\.self).joined(
                separator: "\n\n"
            ) + "\n"
        let faults = faults
        guard !faults.isEmpty else { return head }
        var text = head + "\n### What went wrong\n\n"
        for (index, fault) in faults.enumerated() {
            let rest =
                "\nThere are \(faults.count - index) more; the HTML and JSON reports tell all of them.\n"
            if text.count + fault.count + rest.count > limit { return text + rest }
            text += fault
        }
        return text
    }

    private var title: String {
        "## Pinning lab: \(MarkdownText.escape(document.host))\n\n\(document.started)"
            + (document.partsTitle.map { ", \($0)" } ?? "")
            + (document.missingParts.map { "; **not here:** part \($0)" } ?? "")
    }

    /// The hosts of the user's policy files; `nil` if there are none.
    private var hosts: String? {
        guard !document.hosts.isEmpty else { return nil }
        let lines = document.hosts.map { host in
            let name = host.isQuestion ? "line \(host.line ?? 1)" : host.title
            let text =
                host.isQuestion ? "not proven: \(host.sentence)" : document.sentence(of: host, run.profile)
            return
                "| \(MarkdownText.escape(host.policy)) | \(MarkdownText.escape(name)) | \(MarkdownText.escape(text)) |"
        }
        return (["| file | host | verdict |", "|---|---|---|"] + lines).joined(separator: "\n")
    }

    /// The verdict in one line, with a table if there are several of the user's own rows.
    private var verdict: String {
        let verdict = run.verdict
        guard verdict.parts.count > 1 else { return "**\(MarkdownText.escape(verdict.headline))**" }
        let lines = verdict.parts.map { part in
            "| \(MarkdownText.escape(part.row)) | \(part.status.word) | \(MarkdownText.escape(part.text)) |"
        }
        return
            (["**\(MarkdownText.escape(verdict.total))**", "", "| policy | verdict | why |", "|---|---|---|"]
            + lines).joined(separator: "\n")
    }

    /// The faults of the user's own rows by grade; `nil` if there are no such rows.
    private var grades: String? {
        let own = document.policies.filter { $0.stance == .own }
        guard !own.isEmpty else { return nil }
        let lines = own.flatMap { row in
            LabGrade.allCases.compactMap { grade -> String? in
                let tally = GradeTally(document, row, grade)
                guard tally.total > 0 else { return nil }
                let judged = run.profile.judges(grade) ? "" : ", not judged"
                return "| \(MarkdownText.escape(row.id)) | \(grade.rawValue): \(grade.title)\(judged) "
                    + "| \(tally.right) of \(tally.total) | \(MarkdownText.escape(tally.faults)) |"
            }
        }
        return (["| policy | grade | as a correct client | otherwise |", "|---|---|---|---|"] + lines)
            .joined(separator: "\n")
    }

    /// The differences from the expectation; `nil` without one.
    private var differences: String? {
        guard let comparison = run.comparison else { return nil }
        var parts = ["### \(comparison.heading)"]
        let columns = document.columnsByID
        if !comparison.differences.isEmpty {
            let lines = comparison.differences.prefix(Self.mostDifferences).map { difference in
                let place = difference.place
                return "| \(MarkdownText.escape(place.policy)) | \(place.scenario) "
                    + "\(MarkdownText.escape(columns[place.scenario]?.title ?? "")) "
                    + "| \(difference.expected.title) | **\(difference.found.title)** |"
            }
            parts.append(
                (["| policy | scenario | recorded | now |", "|---|---|---|---|"] + lines)
                    .joined(separator: "\n")
            )
        }
        let rest = comparison.differences.count - Self.mostDifferences
        if rest > 0 { parts.append("There are \(rest) more; the HTML report tells all of them.") }
        parts += comparison.changes.map { "- \(MarkdownText.escape($0))" }
        parts += comparison.remarks.map { remark in
            "- \(remark.title): "
                + LabDocument.summary(of: remark.places).map(MarkdownText.escape).joined(separator: "; ")
        }
        return parts.joined(separator: "\n\n")
    }

    private var counts: String {
        document.judgedRows.map { row in
            let numbers = LabMark.allCases.compactMap { mark -> String? in
                let count = document.count(mark, in: row)
                return count == 0 ? nil : "\(count) \(mark.title)"
            }
            return
                "- **\(MarkdownText.escape(row.id))** (\(MarkdownText.escape(row.title))): \(numbers.joined(separator: ", "))"
        }.joined(separator: "\n")
            + document.judgedRows.flatMap(\.notes).map { "\n- \(MarkdownText.escape($0))" }.joined()
    }

    private var legend: String {
        LabMark.allCases.map { "\($0.symbol) \($0.title)" }.joined(separator: " · ")
    }

    private var table: String {
        let rows = document.orderedRows
        let cells = document.cellsByPlace
        var lines = [
            "| | scenario | " + rows.map { MarkdownText.escape($0.id) }.joined(separator: " | ") + " |",
            "|---|---|" + rows.map { _ in ":-:|" }.joined(),
        ]
        for column in document.groups.flatMap(\.columns) {
            let signs = rows.map { row in
                guard let cell = cells[LabDocument.Place(row.id, column.id)] else { return " " }
                return cell.isFault ? "**\(cell.mark.symbol)**" : cell.mark.symbol
            }
            lines.append(
                "| \(column.id) | \(MarkdownText.escape(column.title)) | \(signs.joined(separator: " | ")) |"
            )
        }
        return lines.joined(separator: "\n")
    }

    /// The misses, false alarms and inconclusive cells, an item each; recorded ones are marked.
    private var faults: [String] {
        let columns = document.columnsByID
        return document.judgedRows.flatMap { row in
            document.cells.filter { $0.place.policy == row.id && !$0.isAsExpected }.map { cell in
                let title = columns[cell.place.scenario]?.title ?? ""
                return
                    "- **\(MarkdownText.escape(row.id)) · \(cell.place.scenario)** \(MarkdownText.escape(title)): "
                    + "**\(cell.outcome.title)**\(run.isKnown(cell) ? ", as recorded" : note(cell)). \(MarkdownText.escape(cell.reason))\n"
            }
        }
    }

    private func note(_ cell: LabDocument.Cell) -> String {
        if case .noted = run.standing(of: cell) { return ", not judged (\(cell.grade.title))" }
        return ""
    }
}

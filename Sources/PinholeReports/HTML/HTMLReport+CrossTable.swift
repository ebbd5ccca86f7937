import PinholeLab
import PinholeModel

extension HTMLReport {
    /// The matrix of few policies: a line for each scenario, with the expected ones folded away.
    var crossTables: String {
        let columns = groups.flatMap(\.columns)
        let wrong = columns.filter { column in rows.contains { isWorthALook($0, column) } }
        let right = Set(columns.map(\.id)).subtracting(wrong.map(\.id))
        let parts = LabGrade.allCases.compactMap { grade -> (title: String, columns: [LabColumn])? in
            let columns = wrong.filter { self.grade(of: $0) == grade }
            let judged = profile.judges(grade) ? "" : ", not judged"
            return columns.isEmpty ? nil : ("\(grade.rawValue): \(grade.title)\(judged)", columns)
        }
        let folded = groups.compactMap { group -> (title: String, columns: [LabColumn])? in
            let columns = group.columns.filter { right.contains($0.id) }
            return columns.isEmpty ? nil : (group.title, columns)
        }
        let foldedTable = """
            <details class="quiet"><summary>\(right.count) \(right.count == 1 ? "scenario" : "scenarios") \
            as expected</summary>
            \(crossTable(folded, "Each policy did what a correct client does."))
            </details>
            """
        return """
            <section id="matrix" aria-labelledby="matrix-title">
            <h2 id="matrix-title">Matrix</h2>
            \(legend)
            \(parts.isEmpty ? "" : crossTable(parts, "What is not as expected. Every sign leads to its evidence."))
            \(folded.isEmpty ? "" : foldedTable)
            </section>
            """
    }

    /// Whether a cell is shown without being asked for.
    private func isWorthALook(_ row: LabDocument.Row, _ column: LabColumn) -> Bool {
        let place = LabDocument.Place(row.id, column.id)
        guard let cell = cells[place] else { return true }
        return !cell.isAsExpected || differingPlaces.contains(place)
    }

    /// The grade of a scenario: the first that counts in any row with a fault.
    private func grade(of column: LabColumn) -> LabGrade {
        let grades = rows.filter { isWorthALook($0, column) }
            .compactMap { cells[LabDocument.Place($0.id, column.id)]?.grade }
        return LabGrade.allCases.first { grades.contains($0) } ?? .must
    }

    private func crossTable(_ parts: [(title: String, columns: [LabColumn])], _ caption: String) -> String {
        let heads = rows.map { row in
            "<th scope=\"col\"><b>\(MarkupText.escape(row.id))</b><small>\(MarkupText.escape(row.title))</small></th>"
        }
        let bodies = parts.map { part in
            """
            <tbody><tr class="group"><th scope="rowgroup" colspan="\(rows.count + 1)">\
            \(MarkupText.escape(part.title))</th></tr>
            \(part.columns.map(crossLine).joined(separator: "\n"))
            </tbody>
            """
        }
        return """
            <div class="scroll" role="region" aria-label="Matrix" tabindex="0"><table class="cross">
            <caption><span>\(caption)</span></caption>
            <thead><tr><th scope="col">scenario</th>\(heads.joined())</tr></thead>
            \(bodies.joined(separator: "\n"))
            </table></div>
            """
    }

    private func crossLine(_ column: LabColumn) -> String {
        let signs = rows.map { row -> String in
            let place = LabDocument.Place(row.id, column.id)
            guard let cell = cells[place] else { return "<td class=\"none\">not run</td>" }
            let differs = differingPlaces.contains(place)
            // A cell that the profile does not judge is shown, but not in red.
            let isJudged = cell.isAsExpected || profile.judges(cell.grade)
            let mark = isJudged ? cell.mark : .unnoticeable
            let label = "\(cell.mark.title)\(differs ? ", differs from the record" : "")"
            return
                "<td class=\"\(mark.rawValue)\(differs ? " differs" : "")\"><a href=\"#\(anchor(place))\">"
                + "<span aria-hidden=\"true\">\(cell.mark.symbol)</span> <span class=\"word\">\(label)</span></a></td>"
        }
        return "<tr><th scope=\"row\"><a href=\"#\(MarkupText.attribute(column.id))\"><b>"
            + "\(MarkupText.escape(column.id))</b> \(MarkupText.escape(column.title))</a></th>"
            + "\(signs.joined())</tr>"
    }
}

import PinholeLab
import PinholeModel

extension HTMLReport {
    /// The section on differences from the expectation; empty without one.
    var differences: String {
        guard let comparison else { return "" }
        let changes = comparison.changes.map { "<li>\(MarkupText.escape($0))</li>" }
        let remarks =
            changes
            + comparison.remarks.map { remark in
                let places = LabDocument.summary(of: remark.places).map(MarkupText.escape).joined(
                    separator: "; "
                )
                return "<li>\(remark.places.count) \(remark.title): \(places)</li>"
            }
        return """
            <section id="differences" aria-labelledby="differences-title">
            <h2 id="differences-title">\(comparison.heading)</h2>
            \(table(comparison.differences))
            \(remarks.isEmpty ? "" : "<ul class=\"remarks\">\(remarks.joined())</ul>")
            </section>
            """
    }

    private func table(_ differences: [ExpectationComparison.Difference]) -> String {
        guard !differences.isEmpty else { return "" }
        let columns = document.columnsByID
        let lines = differences.map { difference in
            let place = difference.place
            let mark = cells[place]?.mark
            let title = MarkupText.escape(columns[place.scenario]?.title ?? "")
            return "<tr><th scope=\"row\">\(MarkupText.escape(place.policy))</th>"
                + "<td><a href=\"#\(anchor(place))\">\(MarkupText.escape(place.scenario))</a> \(title)</td>"
                + "<td data-label=\"recorded\">\(difference.expected.title)</td>"
                + "<td data-label=\"now\"><span class=\"sign \(mark?.rawValue ?? "")\" aria-hidden=\"true\">"
                + "\(mark?.symbol ?? "")</span> <b>\(difference.found.title)</b></td></tr>"
        }
        return """
            <div class="scroll" role="region" aria-label="Differences" tabindex="0"><table class="changes">
            <caption><span>Every other cell that was recorded says what was recorded.</span></caption>
            <thead><tr><th scope="col">policy</th><th scope="col">scenario</th><th scope="col">recorded</th>\
            <th scope="col">now</th></tr></thead>
            <tbody>\(lines.joined(separator: "\n"))</tbody>
            </table></div>
            """
    }
}

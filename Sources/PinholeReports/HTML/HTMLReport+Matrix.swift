import PinholeModel

extension HTMLReport {
    /// The matrix: a row for each policy and a column for each scenario, or the other way round for few policies.
    var matrix: String { isTransposed ? crossTables : wideMatrix }

    private var wideMatrix: String {
        let columns = groups.flatMap(\.columns)
        let groupHeads = groups.map { group in
            "<th scope=\"colgroup\" id=\"\(Self.anchor(group: group.title))\" colspan=\"\(group.columns.count)\"><span>"
                + "\(MarkupText.escape(group.title))</span></th>"
        }.joined()
        let heads = groups.flatMap { group in
            group.columns.enumerated().map { index, column in
                "<th scope=\"col\"\(index == 0 ? " class=\"first\"" : "")>"
                    + "<a href=\"#\(column.id)\"><span><b>\(MarkupText.escape(column.id))</b> "
                    + "\(MarkupText.escape(column.title))</span></a></th>"
            }
        }.joined()
        let colgroups = groups.map { "<colgroup span=\"\($0.columns.count)\"></colgroup>" }.joined()
        let bodies = Self.sections(rows).map { title, rows in
            """
            <tbody><tr class="group"><th scope="rowgroup" colspan="\(columns.count + 1)"><span>\(title)</span>\
            </th></tr>
            \(rows.map(line).joined(separator: "\n"))
            </tbody>
            """
        }
        return """
            <section id="matrix" aria-labelledby="matrix-title">
            <h2 id="matrix-title">Matrix</h2>
            \(legend)
            \(jumps)
            <div class="frame"><div class="scroll wide" role="region" aria-label="Matrix" tabindex="0">\
            <table class="matrix">
            <caption><span>What each policy did in each scenario. Every sign leads to its evidence.</span></caption>
            <colgroup class="names"></colgroup>\(colgroups)
            <thead>
            <tr><td></td>\(groupHeads)</tr>
            <tr><td></td>\(heads)</tr>
            </thead>
            \(bodies.joined(separator: "\n"))
            </table></div></div>
            \(sheets)
            </section>
            """
    }

    /// The links to the groups of columns, with the number of columns in each.
    private var jumps: String {
        guard groups.count > 1 else { return "" }
        let links = groups.map { group in
            "<span><a href=\"#\(Self.anchor(group: group.title))\">\(MarkupText.escape(group.title))</a> "
                + "<small>\(group.columns.count)</small></span>"
        }
        let count = groups.reduce(0) { $0 + $1.columns.count }
        return """
            <p class="jumps">\(count) columns: \(links.joined(separator: " · "))\
            <span class="cue" hidden> → more to the right</span></p>
            """
    }

    /// The place of a group's heading: `columns-who-issued-it`.
    private static func anchor(group title: String) -> String {
        let name = title.lowercased().map { character in
            character.isASCII && (character.isLetter || character.isNumber) ? character : "-"
        }
        return "columns-\(String(name))"
    }

    var legend: String {
        let items = LabMark.allCases.map { mark in
            "<li><span class=\"sign \(mark.rawValue)\" aria-hidden=\"true\">\(mark.symbol)</span> "
                + "\(mark.explanation)</li>"
        }
        return "<ul class=\"legend\">\(items.joined())</ul>"
    }

    private func line(_ row: LabDocument.Row) -> String {
        let signs = groups.flatMap { group in
            group.columns.enumerated().map { index, column in
                sign(row, column, isFirst: index == 0)
            }
        }
        return "<tr><th scope=\"row\"><b>\(MarkupText.escape(row.id))</b> "
            + "<span>\(MarkupText.escape(row.title))</span></th>\(signs.joined())</tr>"
    }

    private func sign(_ row: LabDocument.Row, _ column: LabColumn, isFirst: Bool) -> String {
        let place = LabDocument.Place(row.id, column.id)
        let first = isFirst ? " first" : ""
        // Narrow windows show no heads of columns.
        let label = " data-label=\"\(MarkupText.escape(column.id))\""
        guard let cell = cells[place] else { return "<td class=\"none\(first)\"\(label)>not run</td>" }
        let differs = differingPlaces.contains(place)
        // The headings name the place, and the script adds the meaning of the sign in words.
        let meaning = differs ? " aria-label=\"\(cell.mark.title), differs from the record\"" : ""
        let isTold = LabDocument.isOnlyReported(cell, of: row, by: profile)
        let colour = isTold ? LabMark.unnoticeable : cell.mark
        return "<td class=\"\(colour.rawValue)\(first)\(differs ? " differs" : "")\"\(label)>"
            + "<a href=\"#\(anchor(place))\"\(meaning)>\(cell.mark.symbol)</a></td>"
    }
}

import PinholeModel

extension HTMLReport {
    /// The columns that a sheet of A4 across takes.
    private static let columnsOfSheet = 32

    /// The rows from which on each part begins a sheet of its own.
    private static let rowsOfTallTable = 12

    /// The matrix for paper, which cannot be scrolled: tables with as many groups of columns as a sheet takes.
    var sheets: String {
        let sheets = Self.sheets(of: groups)
        let tables = sheets.enumerated().map { index, groups in
            let part = sheets.count > 1 ? "Part \(index + 1) of \(sheets.count)." : ""
            return table(groups, part)
        }
        return "<div class=\"sheets\">\n\(tables.joined(separator: "\n"))\n</div>"
    }

    /// Puts groups together on sheets of paper; a group that is too wide for one sheet is divided.
    static func sheets(
        of groups: [(title: String, columns: [LabColumn])]
    ) -> [[(title: String, columns: [LabColumn])]] {
        var sheets: [[(title: String, columns: [LabColumn])]] = []
        var room = 0
        for group in groups {
            for start in stride(from: 0, to: group.columns.count, by: columnsOfSheet) {
                let columns = Array(group.columns.dropFirst(start).prefix(columnsOfSheet))
                if columns.count > room {
                    sheets.append([])
                    room = columnsOfSheet
                }
                sheets[sheets.count - 1].append((group.title, columns))
                room -= columns.count
            }
        }
        return sheets
    }

    private func table(_ groups: [(title: String, columns: [LabColumn])], _ part: String) -> String {
        let columns = groups.flatMap(\.columns)
        let groupHeads = groups.map { group in
            "<th scope=\"colgroup\" colspan=\"\(group.columns.count)\"><span>"
                + "\(MarkupText.escape(group.title))</span></th>"
        }
        let heads = columns.map { column in
            "<th scope=\"col\"><span><b>\(MarkupText.escape(column.id))</b> "
                + "\(MarkupText.escape(column.title))</span></th>"
        }
        let bodies = Self.sections(rows).map { title, rows in
            """
            <tbody><tr class="group"><th scope="rowgroup" colspan="\(columns.count + 2)"><span>\(title)</span>\
            </th></tr>
            \(rows.map { line($0, columns) }.joined(separator: "\n"))
            </tbody>
            """
        }
        // The last column takes the room that is left, so that columns are as wide on each sheet.
        return """
            <table class="sheet\(rows.count > Self.rowsOfTallTable ? " tall" : "")"><caption><span>\(part)</span></caption>
            <colgroup class="names"></colgroup><colgroup class="signs" span="\(columns.count)"></colgroup>\
            <colgroup></colgroup>
            <thead>
            <tr><td></td>\(groupHeads.joined())<td></td></tr>
            <tr><td></td>\(heads.joined())<td></td></tr>
            </thead>
            \(bodies.joined(separator: "\n"))
            </table>
            """
    }

    private func line(_ row: LabDocument.Row, _ columns: [LabColumn]) -> String {
        let signs = columns.map { column in
            guard let cell = cells[LabDocument.Place(row.id, column.id)] else { return "<td></td>" }
            // On paper the sign is enough for a cell without a fault.
            let colour = cell.isFault ? " class=\"\(cell.mark.rawValue)\"" : ""
            return "<td\(colour)>\(cell.mark.symbol)</td>"
        }
        return "<tr><th scope=\"row\"><b>\(MarkupText.escape(row.id))</b> "
            + "<span>\(MarkupText.escape(row.title))</span></th>\(signs.joined())<td></td></tr>"
    }
}

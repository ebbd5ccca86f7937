/// One page that needs nothing else: no network, no script for reading, any width, light or dark, paper.
struct HTMLReport {
    /// The run.
    let document: LabDocument
    /// Its cells by their places.
    let cells: [LabDocument.Place: LabDocument.Cell]
    /// The rows in the order of the matrix.
    let rows: [LabDocument.Row]
    /// The columns in the order of the matrix, by groups.
    let groups: [(title: String, columns: [LabColumn])]
    /// The run beside what was expected of it; `nil` where nothing was.
    let comparison: ExpectationComparison?
    /// The cells that differ from it.
    let differingPlaces: Set<LabDocument.Place>

    init(_ document: LabDocument, expectation: Expectation? = nil) {
        comparison = expectation.map { ExpectationComparison(document, with: $0) }
        differingPlaces = Set(comparison?.differences.map(\.place) ?? [])
        self.document = document
        cells = document.cellsByPlace
        rows = document.orderedRows
        groups = document.groups
    }

    /// The page.
    var text: String {
        // The page itself says that it loads nothing.
        let security = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
        let host = MarkupText.escape(document.host)
        return """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta http-equiv="Content-Security-Policy" content="\(security)">
            <title>Pinning lab: \(host)</title>
            <style>
            \(HTMLStyle.text)
            </style>
            </head>
            <body>
            <header>
            <h1>Pinning lab <span>\(host)</span></h1>
            <p>\(subtitle)</p>
            <nav aria-label="Parts of this page">\(comparison == nil ? "" : "<a href=\"#differences\">Differences</a> ")\
            <a href="#summary">Summary</a> <a href="#matrix">Matrix</a> \
            <a href="#evidence">Evidence</a> <a href="#certificates">Certificates</a></nav>
            </header>
            <main>
            \(differences)
            \(summary)
            \(matrix)
            \(evidence)
            \(certificates)
            </main>
            <script>
            \(HTMLScript.text)
            </script>
            </body>
            </html>

            """
    }

    private var subtitle: String {
        var parts = [
            MarkupText.escape(document.started),
            "\(rows.count) \(rows.count == 1 ? "policy" : "policies")",
            "\(document.scenarios.count) \(document.scenarios.count == 1 ? "scenario" : "scenarios")",
        ]
        if let title = document.partsTitle { parts.append(title) }
        if let missing = document.missingParts {
            parts.append("<strong>part \(missing) is not here</strong>")
        }
        return parts.joined(separator: " · ")
    }

    /// The name of the place where a cell's evidence stands: `SL-A02`.
    ///
    /// Identifiers of rows may be file names; those go by their number.
    func anchor(_ place: LabDocument.Place) -> String {
        let isPlain = place.policy.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f: true
            default: false
            }
        }
        guard !isPlain else { return "\(place.policy)-\(place.scenario)" }
        let number = rows.firstIndex { $0.id == place.policy } ?? 0
        return "row\(number)-\(place.scenario)"
    }
}

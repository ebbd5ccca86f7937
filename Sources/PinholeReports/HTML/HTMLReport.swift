import PinholeLab
import PinholeModel

/// A report as one self-contained page: no network, no script for reading, any width, light or dark, paper.
struct HTMLReport {
    /// The run that the page shows.
    let document: LabDocument
    let cells: [LabDocument.Place: LabDocument.Cell]
    /// The rows in the order of the matrix.
    let rows: [LabDocument.Row]
    /// The columns in the order of the matrix, by groups.
    let groups: [(title: String, columns: [LabColumn])]
    /// The comparison of the run with the expectation; `nil` without an expectation.
    let comparison: ExpectationComparison?
    /// The cells that differ from it.
    let differingPlaces: Set<LabDocument.Place>

    /// The chains in the evidence, by their digests; each is on the page once.
    let chainNumbers: [[String]: Int]
    /// The groups of rows of each scenario that share their evidence.
    private(set) var alike: [String: [CellGroup]] = [:]
    /// The places of the evidence that several rows share.
    private var sharedAnchors: [LabDocument.Place: String] = [:]
    private let verdict: LabVerdict
    /// The grades that count.
    let profile: LabProfile

    init(_ run: JudgedRun) {
        document = run.document
        profile = run.profile
        verdict = run.verdict
        comparison = run.comparison
        differingPlaces = Set(comparison?.differences.map(\.place) ?? [])
        cells = document.cellsByPlace
        rows = document.orderedRows
        groups = document.groups
        var chainNumbers: [[String]: Int] = [:]
        for evidence in document.cells.flatMap(\.evidence) {
            for chain in [evidence.presented, evidence.validated] where chainNumbers[chain] == nil {
                chainNumbers[chain] = chainNumbers.count + 1
            }
        }
        self.chainNumbers = chainNumbers
        for column in document.scenarios {
            let members = rows.filter { !isDetailed($0) }.compactMap { row in
                cells[LabDocument.Place(row.id, column.id)].map { (row, $0) }
            }
            let groups = CellGroup.groups(of: members)
            alike[column.id] = groups
            for (number, group) in groups.enumerated() {
                for row in group.rows {
                    sharedAnchors[LabDocument.Place(row.id, column.id)] = "\(column.id).\(number + 1)"
                }
            }
        }
    }

    /// The text of the HTML page.
    var text: String {
        let host = MarkupText.escape(document.host)
        return HTMLPage.text(
            title: "Pinning lab: \(document.host)",
            body: """
                <header>
                <h1>Pinning lab <span>\(host)</span></h1>
                <p>\(subtitle)</p>
                \(verdicts)
                <nav aria-label="Parts of this page">\(comparison == nil ? "" : "<a href=\"#differences\">Differences</a> ")\
                <a href="#summary">Summary</a> <a href="#matrix">Matrix</a> \
                <a href="#evidence">Evidence</a> <a href="#certificates">Certificates</a></nav>
                </header>
                <main>
                \(differences)
                \(hosts)
                \(summary)
                \(matrix)
                \(evidence)
                \(chains)
                \(certificates)
                </main>
                <script>
                \(HTMLScript.text)
                </script>
                """
        )
    }

    /// The verdict in one line, with a table if there are several of the user's own rows.
    private var verdicts: String {
        let isTable = verdict.parts.count > 1
        let line = MarkupText.escape(isTable ? verdict.total : verdict.headline)
        let rows = verdict.parts.map { part in
            "<tr><th scope=\"row\">\(MarkupText.escape(part.row))</th><td>\(part.status.word)</td>"
                + "<td>\(MarkupText.escape(part.text))</td></tr>"
        }
        guard isTable else { return "<p class=\"verdict\">\(line)</p>" }
        return """
            <p class="verdict">\(line)</p>
            <div class="scroll" role="region" aria-label="Verdicts" tabindex="0"><table class="changes">
            <thead><tr><th scope="col">policy</th><th scope="col">verdict</th><th scope="col">why</th></tr></thead>
            <tbody>\(rows.joined(separator: "\n"))</tbody>
            </table></div>
            """
    }

    /// The section with the hosts of the user's policy files; empty if there are none.
    private var hosts: String {
        guard !document.hosts.isEmpty else { return "" }
        let lines = document.hosts.map { host in
            let name = host.isQuestion ? "line \(host.line ?? 1)" : host.title
            let text = host.isQuestion ? "not proven: \(host.sentence)" : document.sentence(of: host, profile)
            return "<tr><th scope=\"row\">\(MarkupText.escape(host.policy))</th>"
                + "<td>\(MarkupText.escape(name))</td><td>\(MarkupText.escape(text))</td></tr>"
        }
        return """
            <section id="hosts" aria-labelledby="hosts-title">
            <h2 id="hosts-title">Hosts</h2>
            <div class="scroll" role="region" aria-label="Hosts" tabindex="0"><table class="changes">
            <thead><tr><th scope="col">file</th><th scope="col">host</th><th scope="col">verdict</th></tr></thead>
            <tbody>\(lines.joined(separator: "\n"))</tbody>
            </table></div>
            </section>
            """
    }

    /// The most rows that are shown side by side as columns, with the scenarios below each other.
    private static let mostSideBySide = 5

    /// Whether the scenarios are the lines of the matrix, and the rows of the run its columns.
    var isTransposed: Bool { rows.count <= Self.mostSideBySide }

    /// Whether the evidence of a row is shown in full; rows with equal evidence share one text otherwise.
    func isDetailed(_ row: LabDocument.Row) -> Bool { row.stance == .own || isTransposed }

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

    /// Returns the identifier of a cell's evidence: `SL-A02`, or `A02.1` if several rows share it.
    ///
    /// A row goes by its number if its identifier has characters that do not belong in an anchor, as file names may.
    func anchor(_ place: LabDocument.Place) -> String {
        if let shared = sharedAnchors[place] { return shared }
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

import PinholeLab
import PinholeModel
import PinholeTrust

extension HTMLReport {
    /// The evidence, a part for each scenario.
    var evidence: String {
        let groups = groups.map { group in
            """
            <h3 class="group">\(Self.capitalized(group.title))</h3>
            \(group.columns.map(section).joined(separator: "\n"))
            """
        }
        return """
            <section id="evidence" aria-labelledby="evidence-title">
            <h2 id="evidence-title">Evidence</h2>
            <p class="tools" hidden><button type="button" data-show="all" aria-pressed="true">all cells</button> \
            <button type="button" data-show="faults" aria-pressed="false">misses and false alarms</button> \
            <button type="button" data-open="true">open all</button> \
            <button type="button" data-open="false">close all</button></p>
            \(groups.joined(separator: "\n"))
            </section>
            """
    }

    private static func capitalized(_ text: String) -> String {
        MarkupText.escape(text.prefix(1).uppercased() + text.dropFirst())
    }

    private func section(_ column: LabColumn) -> String {
        let facts: [(String, String)] = [
            (column.kind == .attack ? "The attacker" : "The server", column.presents),
            ("Needs", column.precondition),
            ("A correct client", column.correctClient),
            (column.kind == .attack ? "What catches it" : "What avoids alarms", column.remedy),
            ("Known from", column.references.joined(separator: "; ")),
        ]
        let list = facts.filter { !$0.1.isEmpty }.map { name, text in
            "<div><dt>\(name)</dt><dd>\(MarkupText.escape(text))</dd></div>"
        }
        let placed = rows.compactMap { row in cells[LabDocument.Place(row.id, column.id)].map { (row, $0) } }
        let details = placed.filter { isDetailed($0.0) }.map { cell($0.0, $0.1) }
        let others = (alike[column.id] ?? []).map(group)
        let isOpen = placed.contains { row, cell in
            row.stance == .own && !cell.isAsExpected && profile.judges(cell.grade)
        }
        return """
            <details class="scenario" id="\(MarkupText.attribute(column.id))"\(isOpen ? " open" : "")>
            <summary><h4><span>\(MarkupText.escape(column.id))</span> \(MarkupText.escape(column.title))</h4> \
            \(marks(placed.map(\.1)))</summary>
            <dl>\(list.joined())</dl>
            \((details + others).joined(separator: "\n"))
            </details>
            """
    }

    /// The result of a scenario: each mark with the number of its cells.
    private func marks(_ cells: [LabDocument.Cell]) -> String {
        let marks = LabMark.allCases.compactMap { mark -> String? in
            let count = cells.count { $0.mark == mark }
            guard count > 0 else { return nil }
            let number = cells.count > 1 ? "\(count) " : ""
            return "<span class=\"sign \(mark.rawValue)\" aria-hidden=\"true\">\(mark.symbol)</span> "
                + "<small>\(number)\(mark.title)</small>"
        }
        return "<span class=\"marks\">\(marks.joined(separator: " "))</span>"
    }

    /// Shortens each SHA-256 in a text; the list of certificates has the whole digests.
    private static func brief(_ text: String) -> String {
        text.replacing(/([0-9a-f]{16})[0-9a-f]{48}/) { "\($0.output.1)…" }
    }

    /// The shared evidence of a group of rows.
    private func group(_ group: CellGroup) -> String {
        let cell = group.cell
        let names = group.rows.map { MarkupText.escape($0.id) }.joined(separator: " ")
        let facts = facts(group).map { "<div><dt>\($0)</dt><dd>\($1)</dd></div>" }
        return """
            <details class="cell\(cell.isAsExpected ? "" : " fault")" id="\(anchor(cell.place))">
            <summary><span class="sign \(cell.mark.rawValue)" aria-hidden="true">\(cell.mark.symbol)</span> \
            <b>\(names)</b> <span class="outcome">\(cell.mark.title)</span> \
            <span class="gist">\(MarkupText.escape(Self.brief(cell.reason)))</span></summary>
            <dl class="proof">\(facts.joined())</dl>
            </details>
            """
    }

    private func facts(_ group: CellGroup) -> [(String, String)] {
        guard let evidence = group.cell.evidence.first else { return [] }
        let isSame = evidence.presented == evidence.validated
        var facts = [
            ("Shown", chainLink(evidence.presented)),
            ("Decided by", isSame ? "the same" : chainLink(evidence.validated)),
        ]
        let parts = [("Checks", group.checks), ("The client's error", group.errors)]
        for (name, lines) in parts where !lines.isEmpty {
            let items = lines.map { line in
                let rows =
                    line.rows.map { "<small>\(MarkupText.escape($0.joined(separator: " ")))</small> " } ?? ""
                return "<li>\(rows)\(MarkupText.escape(line.text))</li>"
            }
            facts.append((name, "<ul>\(items.joined())</ul>"))
        }
        return facts + wire(evidence)
    }

    /// A line that names a chain, with a link to its certificates.
    private func chainLink(_ digests: [String]) -> String {
        guard !digests.isEmpty, let number = chainNumbers[digests] else { return "none" }
        return "<a href=\"#chain-\(number)\">chain \(number)</a>"
    }

    private func cell(_ row: LabDocument.Row, _ cell: LabDocument.Cell) -> String {
        let isOpen = row.stance == .own && !cell.isAsExpected && profile.judges(cell.grade)
        let fault = cell.isAsExpected ? "" : " fault"
        let runs = runs(cell)
        return """
            <details class="cell\(fault)"\(isOpen ? " open" : "")>
            <summary><span class="sign \(cell.mark.rawValue)" aria-hidden="true">\(cell.mark.symbol)</span> \
            <b>\(MarkupText.escape(row.id))</b> <span class="outcome">\(cell.mark.title)</span> \
            <span class="gist">\(MarkupText.escape(cell.reason))</span></summary>
            <div class="proof" id="\(anchor(cell.place))">
            \(runs.joined(separator: "\n"))
            </div>
            </details>
            """
    }

    /// The repetitions; equal ones are shown once.
    private func runs(_ cell: LabDocument.Cell) -> [String] {
        guard let first = cell.evidence.first else { return [] }
        let count = cell.evidence.count
        if cell.evidence.allSatisfy({ $0 == first }) {
            return (count > 1 ? ["<p class=\"run\">\(count) runs, all the same:</p>"] : []) + [run(first)]
        }
        return cell.evidence.enumerated().map { index, evidence in
            "<p class=\"run\">Run \(index + 1) of \(count): \(MarkupText.escape(evidence.summary))</p>"
                + run(evidence)
        }
    }

    private func run(_ evidence: LabEvidence) -> String {
        var parts = [
            chain("What the honest server presents", evidence.honest, known: []),
            chain("What the client was shown", evidence.presented, known: evidence.honest),
            chain("The path that it decided by", evidence.validated, known: evidence.honest),
        ]
        parts = ["<div class=\"chains\">\(parts.joined())</div>"]
        if !evidence.checks.isEmpty {
            let checks = evidence.checks.map { check in
                "<li class=\"\(check.outcome.rawValue)\"><b>\(MarkupText.escape(check.name))</b> "
                    + "<i>\(check.outcome.rawValue)</i> \(MarkupText.escape(check.detail))</li>"
            }
            parts.append("<h5>Checks</h5><ol class=\"checks\">\(checks.joined())</ol>")
        }
        let error = evidence.error.map { error in
            (
                "The client's error",
                "<code>\(MarkupText.escape(error.title))</code> \(MarkupText.escape(error.detail))"
            )
        }
        let facts = ((error.map { [$0] } ?? []) + wire(evidence)).map {
            "<div><dt>\($0)</dt><dd>\($1)</dd></div>"
        }
        parts.append("<dl>\(facts.joined())</dl>")
        return parts.joined(separator: "\n")
    }

    /// Makes the HTML of the wire's facts: the messages between client and man in the middle.
    private func wire(_ evidence: LabEvidence) -> [(String, String)] {
        var facts: [(String, String)] = []
        if let alert = evidence.alert {
            facts.append(("Its alert", "<code>\(MarkupText.escape(alert.description))</code>"))
        }
        if !evidence.handshake.isLeftOut {
            facts.append(("TLS", "<code>\(MarkupText.escape(evidence.handshake.title))</code>"))
        }
        let requests = evidence.requests.map { "<li><code>\(MarkupText.escape($0))</code></li>" }
        if !requests.isEmpty {
            facts.append(("What he read", "<ul class=\"requests\">\(requests.joined())</ul>"))
        }
        return facts
    }

    private func chain(_ title: String, _ digests: [String], known: [String]) -> String {
        let items = digests.compactMap { digest -> String? in
            guard let certificate = document.certificates[digest] else { return nil }
            let mark = known.contains(digest) ? " <span class=\"honest\">the honest server's</span>" : ""
            return
                "<li><a href=\"#\(Self.anchor(digest))\">\(MarkupText.escape(certificate.subject))</a>\(mark)"
                + "<small>issued by \(MarkupText.escape(certificate.issuer))<br>"
                + "\(Self.day(certificate.notBefore)) to \(Self.day(certificate.notAfter))<br>"
                + "<code>\(MarkupText.escape(certificate.pin))</code></small></li>"
        }
        let content = items.isEmpty ? "<p>none</p>" : "<ol>\(items.joined())</ol>"
        return "<div><h5>\(title)</h5>\(content)</div>"
    }

    private static func day(_ moment: String) -> String { MarkupText.escape(String(moment.prefix(10))) }

    private static func anchor(_ digest: String) -> String {
        "certificate-\(MarkupText.attribute(String(digest.prefix(16))))"
    }
}

// MARK: Chains and certificates

extension HTMLReport {
    /// The chains of all evidence, each once; empty if all evidence is shown in full.
    var chains: String {
        guard !rows.allSatisfy(isDetailed) else { return "" }
        let honest = document.cells.lazy.flatMap(\.evidence).first?.honest ?? []
        let items = chainNumbers.filter { !$0.key.isEmpty }.sorted { $0.value < $1.value }.map {
            digests,
            number in
            "<details><summary>chain \(number)</summary>"
                + "<div id=\"chain-\(number)\">\(chain("Leaf first", digests, known: honest))</div></details>"
        }
        return """
            <section id="chains" aria-labelledby="chains-title">
            <h2 id="chains-title">Chains</h2>
            <details><summary>\(items.count) \(items.count == 1 ? "chain" : "chains")</summary>
            \(items.joined(separator: "\n"))
            </details>
            </section>
            """
    }

    /// The section with all certificates, each once.
    var certificates: String {
        let items = document.certificates.values
            .sorted { ($0.subject, $0.sha256) < ($1.subject, $1.sha256) }
            .map { certificate in
                let facts: [(String, String)] = [
                    ("Issuer", MarkupText.escape(certificate.issuer)),
                    ("Names", MarkupText.escape(certificate.names.joined(separator: ", "))),
                    (
                        "Valid",
                        MarkupText.escape("\(certificate.notBefore) to \(certificate.notAfter)")
                    ),
                    ("Key", MarkupText.escape(certificate.key)),
                    ("Pin", "<code>\(MarkupText.escape(certificate.pin))</code>"),
                    ("SHA-256", "<code>\(MarkupText.escape(certificate.sha256))</code>"),
                    ("PEM", certificate.pem.map { "<pre>\(MarkupText.escape($0))</pre>" } ?? ""),
                ]
                let list = facts.filter { !$0.1.isEmpty }.map { "<div><dt>\($0)</dt><dd>\($1)</dd></div>" }
                return """
                    <details><summary>\(MarkupText.escape(certificate.subject)) <small>\
                    \(MarkupText.escape(String(certificate.sha256.prefix(16))))…</small></summary>
                    <dl id="\(Self.anchor(certificate.sha256))">\(list.joined())</dl></details>
                    """
            }
        return """
            <section id="certificates" aria-labelledby="certificates-title">
            <h2 id="certificates-title">Certificates</h2>
            <p>The lab made all of them for this run alone; nothing trusts them, and their keys are gone.</p>
            <details><summary>\(items.count) \(items.count == 1 ? "certificate" : "certificates")</summary>
            \(items.joined(separator: "\n"))
            </details>
            </section>
            """
    }
}

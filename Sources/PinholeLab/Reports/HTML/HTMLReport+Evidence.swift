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
        let details = rows.compactMap { row in
            cells[LabDocument.Place(row.id, column.id)].map { cell(row, column, $0) }
        }
        return """
            <section class="scenario" id="\(MarkupText.attribute(column.id))">
            <h4><span>\(MarkupText.escape(column.id))</span> \(MarkupText.escape(column.title))</h4>
            <dl>\(list.joined())</dl>
            \(details.joined(separator: "\n"))
            </section>
            """
    }

    private func cell(_ row: LabDocument.Row, _ column: LabColumn, _ cell: LabDocument.Cell) -> String {
        let isOpen = row.stance == .own && !cell.isAsExpected
        let fault = cell.isAsExpected ? "" : " fault"
        let runs = runs(cell)
        return """
            <details class="cell\(fault)"\(isOpen ? " open" : "")>
            <summary><span class="sign \(cell.mark.rawValue)" aria-hidden="true">\(cell.mark.symbol)</span> \
            <b>\(MarkupText.escape(row.id))</b> <span class="outcome">\(cell.mark.title)</span> \
            <span class="gist">\(MarkupText.escape(cell.told))</span></summary>
            <div class="proof" id="\(anchor(cell.place))">
            <p class="reason">\(MarkupText.escape(cell.told))</p>
            \(runs.joined(separator: "\n"))
            </div>
            </details>
            """
    }

    /// The repetitions; those that are all the same are shown once.
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
        let facts = wire(evidence).map { "<div><dt>\($0)</dt><dd>\($1)</dd></div>" }
        parts.append("<dl>\(facts.joined())</dl>")
        return parts.joined(separator: "\n")
    }

    /// What client and man in the middle said to each other, in HTML.
    private func wire(_ evidence: LabEvidence) -> [(String, String)] {
        var facts: [(String, String)] = []
        if let error = evidence.error {
            let name = "\(error.domain) \(error.code) \(error.name)"
            facts.append(
                (
                    "The client's error",
                    "<code>\(MarkupText.escape(name))</code> \(MarkupText.escape(error.detail))"
                )
            )
        }
        facts.append(
            (
                "Its alert",
                evidence.alert.map { "<code>\(MarkupText.escape($0.description))</code>" } ?? "none"
            )
        )
        let handshake = [evidence.tlsVersion, evidence.cipher].compactMap { $0 }.joined(separator: ", ")
        if !handshake.isEmpty {
            facts.append(("TLS with the man in the middle", "<code>\(MarkupText.escape(handshake))</code>"))
        }
        let requests = evidence.requests.map { "<li><code>\(MarkupText.escape($0))</code></li>" }
        facts.append(
            (
                "What he read",
                requests.isEmpty ? "nothing" : "<ul class=\"requests\">\(requests.joined())</ul>"
            )
        )
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

// MARK: Certificates

extension HTMLReport {
    /// Every certificate, once.
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
            \(items.joined(separator: "\n"))
            </section>
            """
    }
}

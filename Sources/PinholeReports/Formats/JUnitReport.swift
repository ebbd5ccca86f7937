import PinholeLab

/// A run of the lab as JUnit XML: a suite for each row, a case for each scenario.
///
/// A miss and a false alarm are failures; an inconclusive cell and one that was not run are errors. With an
/// expectation, a case passes if it has the recorded outcome, and fails otherwise, as in the exit status. The hosts of
/// policy files are a suite of their own.
struct JUnitReport {
    let run: JudgedRun
    private var document: LabDocument { run.document }

    /// The text of the XML document.
    var text: String {
        let columns = document.columnsByID
        var suites = run.reported.map { row, cells in
            suite("\(row.id): \(row.title)", cells.map { entry(row, $0, columns) })
        }
        let hosts = document.hosts.map { entry($0) }
        if !hosts.isEmpty { suites.append(suite("hosts", hosts)) }
        let gaps = run.runGaps + run.recordGaps
        if !gaps.isEmpty {
            let cases = gaps.map { gap in
                let fault = JUnitLog.Fault(element: "error", message: gap, type: "notRun", content: [gap])
                return JUnitLog.Case(name: gap, group: "not run", fault: fault)
            }
            suites.append(suite("not run", cases))
        }
        return JUnitLog(name: "pinning lab", suites: suites).text
    }

    /// The case of a host: a question is skipped, and a host that must be pinned and is not is a failure.
    private func entry(_ host: JudgedHost) -> JUnitLog.Case {
        let row = document.policies.first { $0.id == host.policy }
        let name = host.isQuestion ? "line \(host.line ?? 1)" : host.title
        var entry = JUnitLog.Case(name: name, group: host.policy, file: row?.file)
        if row?.file != nil { entry.line = host.line }
        if host.isQuestion {
            let isAccepted = !run.questions.contains(host)
            let message = "\(isAccepted ? "accepted" : "not proven"): \(host.sentence)"
            entry.fault = JUnitLog.Fault(element: "skipped", message: message)
        } else if run.openHosts.contains(host) {
            entry.fault = JUnitLog.Fault(
                element: "failure",
                message: host.sentence,
                type: host.state.rawValue,
                content: [host.sentence]
            )
        }
        return entry
    }

    private func suite(_ name: String, _ cases: [JUnitLog.Case]) -> JUnitLog.Suite {
        // The schemas know no zone; it is UTC.
        let moment = document.started.hasSuffix("Z") ? String(document.started.dropLast()) : document.started
        return JUnitLog.Suite(
            name: name,
            cases: cases,
            attributes: [("timestamp", moment), ("hostname", document.host)]
        )
    }

    private func entry(
        _ row: LabDocument.Row,
        _ cell: LabDocument.Cell,
        _ columns: [String: LabColumn]
    ) -> JUnitLog.Case {
        let title = columns[cell.place.scenario]?.title ?? ""
        var entry = JUnitLog.Case(name: "\(cell.place.scenario) \(title)", group: row.id, file: row.file)
        if row.file != nil { entry.line = row.line }
        switch run.standing(of: cell) {
        case .asExpected, .unjudged: break
        case .noted(let what):
            let message = "\(what), and not judged: \(cell.grade.title)"
            entry.fault = JUnitLog.Fault(element: "skipped", message: message)
        case .inconclusive(let why): entry.fault = fault("error", cell, why)
        case .unexpected(let what): entry.fault = fault("failure", cell, "\(what): \(cell.reason)")
        }
        return entry
    }

    private func fault(_ element: String, _ cell: LabDocument.Cell, _ message: String) -> JUnitLog.Fault {
        // GitLab shows the content alone, Jenkins the message above it.
        JUnitLog.Fault(
            element: element,
            message: message,
            type: cell.outcome.rawValue,
            content: [message] + cell.evidence.flatMap { lines(of: $0) }
        )
    }

    /// Describes evidence in a few lines.
    private func lines(of evidence: LabEvidence) -> [String] {
        var lines = [evidence.summary]
        if let error = evidence.error { lines.append("client's error: \(error.title): \(error.detail)") }
        if let alert = evidence.alert { lines.append("client's alert: \(alert)") }
        if evidence.handshake.version != nil {
            lines.append("TLS with the man in the middle: \(evidence.handshake.title)")
        }
        // The keys are made anew for each run, so their pins say nothing in a failure.
        lines += evidence.presented.compactMap { document.certificates[$0] }.map {
            "shown: \($0.subject), issued by \($0.issuer)"
        }
        return lines + evidence.requests.map { "read by the man in the middle: \($0)" }
    }
}

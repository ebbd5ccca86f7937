import PinholeCrypto
import PinholeLab
import PinholeModel
package import PinholeTelemetry

/// Makes the spans of a run of the lab or of an audit: one for the run, and one below it for each cell.
///
/// A title may be the command that was audited, and a reason the last line of its output, so neither is told.
///
/// Source: the semantic conventions of OpenTelemetry 1.44, “Test attributes”.
package enum LabSpans {
    /// Returns the spans of a document.
    ///
    /// A cell has no times of its own, so its span has the time at which the run began.
    ///
    /// - Returns: The span of the run, and those of its cells.
    package static func all(_ document: LabDocument) -> [Span] {
        let started = RFC3339.timestamp(document.started) ?? Timestamp(microseconds: 0)
        let run = "\(document.host) \(document.started) \(document.policies.map(\.id))"
        let trace = Array(Digest.sha256(Array(run.utf8)).prefix(16))
        let titles = Dictionary(document.policies.map { ($0.id, $0) }) { first, _ in first }
        let columns = document.columnsByID
        var first = Span(
            trace: trace,
            id: number(run),
            name: "lab",
            kind: .internal,
            started: started,
            ended: started
        )
        first.add("test.suite.name", "pinhole lab")
        // The rows of the lab itself have known faults, which are no failure of a run with rows of the user.
        let judged = Set(document.judgedRows.map(\.id))
        let isFaulty = document.cells.contains { judged.contains($0.place.policy) && $0.isFault }
        first.add("test.suite.run.status", isFaulty ? "failure" : "success")
        first.add("server.address", document.host)
        let cells = document.cells.map { cell in
            var span = Span(
                trace: trace,
                id: number("\(run) \(cell.place)"),
                name: "\(cell.place)",
                kind: .internal,
                started: started,
                ended: started
            )
            span.parent = first.id
            span.add("test.suite.name", "pinhole lab")
            span.add("test.case.name", "\(cell.place)")
            if cell.outcome != .inconclusive {
                span.add("test.case.result.status", cell.isAsExpected ? "pass" : "fail")
            }
            span.add("server.address", document.host)
            span.add("pinhole.lab.policy", cell.place.policy)
            span.add("pinhole.lab.policy.stance", titles[cell.place.policy]?.stance.rawValue)
            span.add("pinhole.lab.policy.digest", titles[cell.place.policy]?.digest)
            span.add("pinhole.lab.scenario", cell.place.scenario)
            span.add("pinhole.lab.scenario.title", columns[cell.place.scenario]?.title)
            span.add("pinhole.lab.scenario.kind", columns[cell.place.scenario]?.kind.rawValue)
            span.add("pinhole.lab.outcome", cell.outcome.rawValue)
            span.add("pinhole.lab.expected", cell.expected.rawValue)
            span.add("pinhole.lab.grade", cell.grade.rawValue)
            if !cell.isAsExpected {
                span.add("error.type", cell.outcome.rawValue)
                span.failure = ""
            }
            return span
        }
        return [first] + cells
    }

    private static func number(_ text: String) -> [UInt8] {
        Array(Digest.sha256(Array(text.utf8)).suffix(8))
    }
}

import PinholeClient
import PinholeTestKit
import PinholeTrust
import Testing

@testable import PinholeLab

/// Servers that a client met once, judged in memory by every policy whose client behaves alike.
@Suite("The matrix in memory")
struct JudgedInMemoryTests {
    /// The scenarios in which every client visits the server itself: it comes back, shares a connection, or
    /// reports on a way of its own.
    private static let onTheWire: Set = ["B07", "B08", "B09", "B10", "B34", "B37", "L15", "L18", "L19"]

    /// The rows in memory in all other scenarios.
    private static func memory(_ rows: [LabPolicy]) async throws -> LabReport {
        let scenarios = Scenario.catalogue.filter { !onTheWire.contains($0.id) }
        return try await WholeMatrix.run.value.memory.part(rows, against: scenarios)
    }

    @Test("every cell that is judged in memory agrees with the measurement")
    func agreement() async throws {
        let memory = try await Self.memory(WholeMatrix.visiting)
        let wire = try await WholeMatrix.report(WholeMatrix.visiting, against: memory.scenarios)
        #expect(memory.cells.count == wire.cells.count)
        let chosen = CellContent.chosen
        for (memory, wire) in zip(memory.cells, wire.cells) {
            let place = "\(wire.policy) \(wire.scenario)"
            var (found, expected) = (CellContent(memory), CellContent(wire))
            if found != expected {
                found.hide(chosen)
                expected.hide(chosen)
            }
            #expect(found == expected, "\(place)")
            #expect(wire.observations.allSatisfy { !$0.isFromMemory }, "\(place)")
        }
    }

    @Test("clients that behave like most meet no server themselves")
    func share() async throws {
        let memory = try await Self.memory(LabPolicy.builtIn)
        let wire = Set(memory.cells.filter { !$0.isFromMemory }.map(\.policy))
        // The first answers challenges, the second asks again in another way, and the others do so in one scenario.
        #expect(wire == ["answers-all", "falls-back", "trustkit-report", "updates-open", "updates-signed"])
        let rows = Set(["answers-all", "falls-back"])
        let others = memory.cells.filter { !$0.isFromMemory && !rows.contains($0.policy) }
        #expect(
            Set(others.map { "\($0.policy) \($0.scenario)" }) == [
                "trustkit-report B33", "updates-open B38", "updates-signed B38",
            ]
        )
    }

    @Test("a scenario in which clients come back stays on the wire")
    func comingBack() async throws {
        let scenarios = Scenario.catalogue.filter { Self.onTheWire.contains($0.id) }
        let report = try await PinningLab().run(LabPolicy.named("SL"), against: scenarios, .inMemory)
        #expect(report.cells.count == Self.onTheWire.count)
        for cell in report.cells {
            #expect(cell.isAsExpected && !cell.isFromMemory, "\(cell.scenario): \(cell.reason)")
        }
    }
}

extension LabCell {
    fileprivate var isFromMemory: Bool { observations.allSatisfy(\.isFromMemory) }
}

/// The content of a cell that does not depend on the order in which bytes arrive.
private struct CellContent: Equatable, CustomStringConvertible {
    let outcome: LabOutcome
    let decision: Observation.Decision?
    let grade: LabGrade
    let presented: [String]
    let validated: [String]
    /// The reason, the failure, what the policy reports, and the checks.
    var texts: [String?]

    /// A hash, a port or a time, which each run chooses anew.
    ///
    /// It takes as long to parse this expression as to search hundreds of texts for it.
    static var chosen: Regex<Substring> {
        #/sha(?:256|1)\/[A-Za-z0-9+\/]+=*|[0-9A-Fa-f]{32,}|[:|]\d{4,5}\b|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/#
    }

    init(_ cell: LabCell) {
        let observation = cell.observations.last
        // The words of a failure in TLS or HTTP may depend on the order in which bytes arrive.
        let isJudged = observation?.failure.map { $0.rejection != nil } ?? true
        outcome = cell.outcome
        decision = observation?.decision
        grade = cell.grade
        presented = observation?.presented.map(\.subject) ?? []
        validated = observation?.validated.map(\.subject) ?? []
        let failure = observation?.failure.flatMap { failure in
            failure.rejection.map { "\(failure.code) \(failure.check) \($0.reason.code) \(failure.detail)" }
        }
        texts = [
            isJudged ? cell.reason : "", failure,
            isJudged ? observation?.reported.map { "\($0)" } : nil,
        ]
        texts += observation?.checks.map { "\($0.name) \($0.outcome) \($0.detail)" } ?? []
    }

    /// Replaces every hash, port and time by the word for it.
    mutating func hide(_ chosen: Regex<Substring>) {
        texts = texts.map { text in
            text?.replacing(chosen) { match in
                if let first = match.output.first, ":|".contains(first) { return ":PORT" }
                return match.output.contains("-") ? "TIME" : "HASH"
            }
        }
    }

    var description: String {
        """
        \(outcome) (\(grade), \(decision?.rawValue ?? "nothing seen"))
        reason, failure, report and checks: \(texts.map { $0 ?? "none" }.joined(separator: "; "))
        presented: \(presented.joined(separator: ", ")); validated: \(validated.joined(separator: ", "))
        """
    }
}

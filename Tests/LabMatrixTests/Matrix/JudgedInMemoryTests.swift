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

    /// The built-in rows in all other scenarios, with the certificates of the run over the wire.
    private static let report = Task {
        let lab = try await WholeMatrix.run.value.lab
        let scenarios = Scenario.catalogue.filter { !onTheWire.contains($0.id) }
        return try await MatrixTurn.shared.run {
            try await lab.run(LabPolicy.builtIn, against: scenarios, .inMemory)
        }
    }

    @Test("every cell that is judged in memory agrees with the measurement")
    func agreement() async throws {
        let memory = try await Self.report.value
        let wire = try await WholeMatrix.report(LabPolicy.builtIn, against: memory.scenarios)
        #expect(memory.cells.count == wire.cells.count)
        for (found, expected) in zip(memory.cells, wire.cells) {
            let place = "\(expected.policy) \(expected.scenario)"
            #expect(CellContent(found) == CellContent(expected), "\(place)")
            #expect(expected.observations.allSatisfy { !$0.isFromMemory }, "\(place)")
        }
    }

    @Test("clients that behave like most meet no server themselves")
    func share() async throws {
        let memory = try await Self.report.value
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

/// The content of a cell without the keys, serial numbers and ports, which each run chooses anew.
private struct CellContent: Equatable, CustomStringConvertible {
    let outcome: LabOutcome
    let decision: Observation.Decision?
    let reason: CellText
    let grade: LabGrade
    let failure: CellText?
    let reported: CellText?
    let checks: [CellText]
    let presented: [String]
    let validated: [String]

    init(_ cell: LabCell) {
        let observation = cell.observations.last
        // The words of a failure in TLS or HTTP may depend on the order in which bytes arrive.
        let isJudged = observation?.failure.map { $0.rejection != nil } ?? true
        outcome = cell.outcome
        decision = observation?.decision
        reason = CellText(isJudged ? cell.reason : "")
        grade = cell.grade
        failure = observation?.failure.flatMap { failure in
            failure.rejection.map {
                CellText("\(failure.code) \(failure.check) \($0.reason.code) \(failure.detail)")
            }
        }
        reported = isJudged ? observation?.reported.map { CellText("\($0)") } : nil
        checks = observation?.checks.map { CellText("\($0.name) \($0.outcome) \($0.detail)") } ?? []
        presented = observation?.presented.map(\.subject) ?? []
        validated = observation?.validated.map(\.subject) ?? []
    }

    var description: String {
        """
        \(outcome) (\(grade), \(decision?.rawValue ?? "nothing seen")): \(reason.unchosen)
        failure: \(failure?.unchosen ?? "none"); reported: \(reported?.unchosen ?? "nothing")
        checks: \(checks.map(\.unchosen).joined(separator: "; "))
        presented: \(presented.joined(separator: ", ")); validated: \(validated.joined(separator: ", "))
        """
    }
}

/// A text of a cell, compared without the hashes, ports and times in it.
private struct CellText: Equatable {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    /// The text with one word for each hash, port and time.
    var unchosen: String {
        text.replacing(#/sha(256|1)/[A-Za-z0-9+/]+=*/#, with: "HASH")
            .replacing(#/[0-9A-Fa-f]{32,}/#, with: "HASH")
            .replacing(#/[:|]\d{4,5}\b/#, with: ":PORT")
            .replacing(#/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/#, with: "TIME")
    }

    /// Most texts are equal as they are, and searching both for four expressions takes longer than judging them.
    static func == (one: Self, other: Self) -> Bool {
        one.text == other.text || one.unchosen == other.unchosen
    }
}

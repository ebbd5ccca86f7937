import PinholeModel
import PinholeTestKit
import PinholeTrust

@testable import PinholeLab
@testable import PinholeReports

/// Runs of the lab for the tests of its reports.
enum SampleRun {
    /// A real run: the modes, and a policy of the user's own that pins a CA's key.
    static let report = Task {
        let own = LabPolicy("app.json", "the app's <policy> & \"pins\"", .own) {
            SPKIPolicy(pins: $0.world.authorityPins)
        }
        return try await MatrixTurn.shared.run {
            try await PinningLab().run([own] + LabPolicy.modes, against: scenarios, .patient)
        }
    }

    /// A few scenarios of each kind: what reports show of the others is the same.
    static let scenarios = Scenario.catalogue.filter {
        ["A01", "A02", "A04", "A09", "A28", "B07", "L02", "L03"].contains($0.id)
    }

    /// The same as a document.
    static func document() async throws -> LabDocument { LabDocument(try await report.value) }

    static func column(
        _ id: String,
        _ kind: Scenario.Kind = .attack,
        expected: LabOutcome = .detected
    ) -> LabColumn {
        LabColumn(
            id: id,
            title: "title of \(id)",
            kind: kind,
            group: (kind == .attack ? Scenario.Group.interception : .changes).rawValue,
            expected: expected,
            presents: "presents",
            precondition: "precondition",
            correctClient: "refuses",
            remedy: "remedy",
            references: ["RFC 5280"]
        )
    }

    /// A made-up run of three rows (`mine` is the user's own) and three columns (A28 cannot be detected).
    ///
    /// Every cell is as a correct client's but the ones that are given.
    static func made(_ outcomes: [String: [String: LabOutcome]] = [:]) -> LabDocument {
        var document = LabDocument(host: "api.pinned.test", started: "2026-11-21T10:00:00Z")
        document.policies = [
            LabDocument.Row(id: "mine", title: "the app's own", stance: .own),
            LabDocument.Row(id: "SYS", title: "the system's", stance: .inUse),
            LabDocument.Row(id: "AA", title: "accept everything", stance: .broken),
        ]
        document.scenarios = [
            column("A02"), column("A28", expected: .missed), column("L02", .change, expected: .accepted),
        ]
        for row in document.policies {
            for column in document.scenarios {
                let outcome = outcomes[row.id]?[column.id] ?? column.expected
                document.cells.append(
                    LabDocument.Cell(
                        LabDocument.Place(row.id, column.id),
                        expected: column.expected,
                        outcome: outcome,
                        reason: "\(row.id) \(column.id) \(outcome.rawValue).",
                        evidence: [LabEvidence(.undecided, "seen")]
                    )
                )
            }
        }
        return document
    }

    /// The part of a made-up run that holds these columns.
    static func part(
        _ shard: String,
        _ columns: [String],
        _ outcomes: [String: [String: LabOutcome]] = [:]
    ) throws -> LabDocument {
        var document = made(outcomes)
        document.shards = [try LabShard(shard)]
        document.scenarios.removeAll { !columns.contains($0.id) }
        document.cells.removeAll { !columns.contains($0.place.scenario) }
        return document
    }
}

extension PinningLab.Options {
    /// Lets no deadline pass: with hundreds of tests side by side a cell may wait for a minute.
    static var patient: PinningLab.Options {
        var options = PinningLab.Options()
        options.patience = Patience.limit
        return options
    }

    /// The same, and each server is met once by clients that behave alike.
    static var inMemory: PinningLab.Options {
        var options = patient
        options.judgesInMemory = true
        return options
    }
}

import PinholeClient
import PinholeTrust
import Testing

@testable import PinholeLab
@testable import PinholeReports

@Suite("The rules against the wire")
struct PredictionTests {
    /// The whole matrix; the rows that visit every server are those of the wire.
    private static let run = Task {
        let lab = try await WholeMatrix.run.value.lab
        return (report: try await WholeMatrix.report(LabPolicy.builtIn), world: lab.world)
    }

    @Test("every cell of the matrix is predicted, and agrees with the measurement")
    func agreement() async throws {
        let (report, world) = try await Self.run.value
        #expect(report.cells.count == LabPolicy.builtIn.count * Scenario.catalogue.count)
        #expect(report.predictions(in: world).count { $0.prediction == nil } == 0)
        #expect(report.unpredicted(in: world) == [])
        #expect(report.contradictions(in: world) == [])
        #expect(report.inconclusive.isEmpty)
    }

    @Test("every rule decides a cell of the matrix")
    func everyRule() async throws {
        let (report, world) = try await Self.run.value
        let decided = Set(report.predictions(in: world).compactMap(\.prediction?.rule))
        #expect(Set(PredictionRule.allCases).subtracting(decided) == [])
    }

    @Test("the reason of a refusal equals the reason of the rule that predicts it")
    func reasons() async throws {
        var compared = 0
        for cell in try await Self.run.value.report.cells {
            guard let reason = cell.observations.last?.failure?.rejection?.reason,
                let facts = ScenarioFacts.catalogue[cell.scenario],
                let semantics = PolicySemantics.rows[cell.policy]
            else { continue }
            compared += 1
            let refusing = PredictionRule.allCases.filter { $0.decision(facts, semantics) == .rejected }
            #expect(
                !reason.rules.isDisjoint(with: refusing),
                "\(cell.policy) \(cell.scenario): \(reason.code), rules: \(refusing.map(\.title))"
            )
        }
        // Most refusals are a policy's; the others are those of TLS, of HTTP and of the server.
        #expect(compared > 1500, "\(compared)")
    }

    @Test("every scenario has facts, every row semantics, and nothing else has")
    func complete() {
        #expect(Set(ScenarioFacts.catalogue.keys) == Set(Scenario.every.map(\.id) + ["C0"]))
        #expect(Set(PolicySemantics.rows.keys) == Set(LabPolicy.builtIn.map(\.id)))
    }

    @Test("a row that contradicts its record contradicts the rules")
    func contradiction() async throws {
        // As if the pins of SL were looked for in the whole path.
        let path = try LabPolicy.named("SC")
        let broken = LabPolicy("SL", "the wrong pins", make: path.make)
        let scenarios = Scenario.catalogue.filter { ["A02", "A04", "L04"].contains($0.id) }
        let lab = try await PinningLab()
        let report = try await lab.run(broken, against: scenarios, .patient)
        let found = report.contradictions(in: lab.world)
        #expect(found.count == 2)
        #expect(
            found.first?.hasPrefix(
                "SL A04: the rules say detected (R16: no pin matches), the wire says missed: "
            ) == true,
            "\(found)"
        )
        #expect(found.last?.hasPrefix("SL L04: ") == true, "\(found)")
    }

    @Test("the honest server is accepted, and a report is read back")
    func reading() async throws {
        let lab = try await PinningLab()
        let report = try await lab.run(LabPolicy.named("SL"), against: [.control], .patient)
        let prediction = try #require(report.predictions(in: lab.world).first?.prediction)
        #expect(prediction == Prediction(.accepted, by: .nothingAgainst))
        #expect(report.contradictions(in: lab.world) == [])
        let document = LabDocument(report)
        #expect(try LabDocument(parsing: Array(document.json.utf8)) == document)
    }
}

extension Rejection.Reason {
    /// The rules of which one stands behind it.
    fileprivate var rules: Set<PredictionRule> {
        switch self {
        case .chain(let fault):
            switch fault {
            case .empty, .untrusted, .selfSigned, .badSignature: [.anchor]
            case .expired, .notYetValid: [.validity]
            case .wrongName: [.name]
            case .wrongPurpose: [.purpose]
            case .revoked, .revocationUnknown: [.staple]
            case .notLogged: [.timestamps, .form]
            default: [.form]
            }
        // DANE-TA: its anchor is what is pinned.
        case .pinMismatch: [.pins, .anchor]
        case .keyChanged: [.pins]
        case .unknownHost: [.firstContact]
        case .noPins, .contradictorySettings: [.contradiction]
        case .unsupportedKey, .tooWeak, .noneOf: []
        }
    }
}

import PinholeTrust
import Testing

@testable import PinholeLab

@Suite("The rules against the wire")
struct PredictionTests {
    /// The whole matrix, once.
    private static let report = Task {
        try await MatrixTurn.shared.run { try await PinningLab().run(LabPolicy.builtIn, .patient) }
    }

    @Test("every cell of the matrix is predicted, and is what the wire says")
    func agreement() async throws {
        let report = try await Self.report.value
        #expect(report.cells.count == LabPolicy.builtIn.count * Scenario.catalogue.count)
        #expect(report.cells.filter { $0.predicted == nil }.map { "\($0.policy) \($0.scenario)" } == [])
        let found = report.contradictions.map { "\($0.policy) \($0.scenario): \($0.reason)" }
        #expect(found == [])
        #expect(report.inconclusive.isEmpty)
    }

    @Test("every rule decides a cell of the matrix")
    func everyRule() async throws {
        let decided = Set(try await Self.report.value.cells.compactMap(\.rule))
        #expect(Set(PredictionRule.allCases).subtracting(decided) == [])
    }

    @Test("a policy that refuses says so for a reason that a rule gives as well")
    func reasons() async throws {
        var compared = 0
        for cell in try await Self.report.value.cells {
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
        #expect(Set(ScenarioFacts.catalogue.keys) == Set(Scenario.catalogue.map(\.id) + ["C0"]))
        #expect(Set(PolicySemantics.rows.keys) == Set(LabPolicy.builtIn.map(\.id)))
    }

    @Test("a row that does not do what is written down contradicts the rules, and the lab says so")
    func contradiction() async throws {
        // As if the pins of SL were looked for in the whole path.
        let path = try LabPolicy.named("SC")
        let broken = LabPolicy("SL", "the wrong pins", make: path.make)
        let scenarios = Scenario.catalogue.filter { ["A02", "A04", "L04"].contains($0.id) }
        let report = try await PinningLab().run(broken, against: scenarios, .patient)
        #expect(report.contradictions.map(\.scenario) == ["A04", "L04"])
        let cell = try #require(report.cell("SL", "A04"))
        #expect(cell.outcome == .missed && cell.predicted == .detected && cell.rule == .pins)
        let verdict = LabVerdict(LabDocument(report))
        #expect(verdict.status == .inconclusive)
        #expect(
            verdict.reasons.first?.hasPrefix(
                "SL in A04: the lab contradicts itself, the rules say detected (R16: no pin matches), the wire"
                    + " says missed: "
            ) == true,
            "\(verdict.reasons)"
        )
        #expect(verdict.reasons.count == 2)
    }

    @Test("what a report says of the rules is read back")
    func reading() async throws {
        let report = try await PinningLab().run(
            LabPolicy.named("SL"),
            against: [.control],
            .patient
        )
        let document = LabDocument(report)
        let cell = try #require(document.cells.first)
        #expect(cell.predicted == .accepted && cell.rule == .nothingAgainst && cell.contradiction == nil)
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
            default: [.form]
            }
        // DANE-TA: its anchor is what is pinned.
        case .pinMismatch: [.pins, .anchor]
        case .keyChanged: [.pins]
        case .unknownHost: [.firstContact]
        case .notLogged: [.timestamps]
        case .noPins, .contradictorySettings: [.contradiction]
        case .unsupportedKey, .tooWeak, .noneOf: []
        }
    }
}

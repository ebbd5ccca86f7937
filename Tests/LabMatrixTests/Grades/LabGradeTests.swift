import PinholeCrypto
import PinholeModel
import PinholeTrust
import Testing

@testable import PinholeLab

/// Scenarios are graded by what a mechanism can express.
@Suite("Grades")
struct LabGradeTests {
    private let target: LabPolicy.Target

    init() throws {
        target = LabPolicy.Target(world: try LabWorld(), authority: try Authority("api.pinned.test:8443"))
    }

    private func grades(_ row: String) throws -> [LabGrade: Set<String>] {
        let settings = try LabPolicy.named(row).soundSettings(for: target)
        return Dictionary(grouping: Scenario.catalogue) { $0.grade(among: settings) }
            .mapValues { Set($0.map(\.id)) }
    }

    @Test(
        "attacks that pinning prevents are required of every mechanism that pins and validates",
        arguments: ["SL", "nsc", "apple-leaf", "trustkit", "okhttp-leaf", "curl", "hpkp", "alamo-keys"]
    )
    func must(row: String) throws {
        let must = try grades(row)[.must] ?? []
        for id in [
            "A01", "A02", "A03", "A05", "A09", "A10", "A11", "A12", "A13", "A17", "A24", "B32", "L02", "L03",
        ] {
            // curl reads the common name.
            #expect(must.contains(id) != (row == "curl" && id == "A13"), "\(row) \(id)")
        }
    }

    @Test("attacks that a mechanism cannot express are beyond it, and undetectable ones are beyond all")
    func beyond() throws {
        let android = try grades("nsc")
        #expect(android[.beyond] == ["A28", "B11", "B25", "B26", "L11", "L12"])
        #expect(android[.should] == ["A04", "A25", "B24", "B39", "B40", "B41", "B42", "B43", "L04", "L21"])
        #expect(try grades("curl")[.should] == nil, "curl has one form: the leaf's key")
        #expect(try grades("curl")[.must]?.isSuperset(of: ["A04", "B11", "B24"]) == true)
        #expect(try grades("okhttp-leaf")[.beyond]?.isSuperset(of: ["B13", "B14"]) == true)
        #expect(android[.must]?.isSuperset(of: ["B13", "B14"]) == true, "Android refuses http")
        #expect(try grades("must-staple")[.must]?.contains("B26") == true)
        #expect(try grades("ct-required")[.must]?.contains("B24") == true)
    }

    @Test(
        "each sound setting gets the grade that the rules predict",
        arguments: LabPolicy.builtIn.map(\.id)
    )
    func predicted(row: String) throws {
        let row = try LabPolicy.named(row)
        let settings = row.soundSettings(for: target)
        let forms = row.forms(for: target)
        #expect(settings.count == forms.count)
        for scenario in Scenario.catalogue {
            #expect(scenario.grade(among: settings) == scenario.grade(among: forms), "\(scenario.id)")
        }
    }

    @Test("the written rows of sound settings have no fault in a required attack")
    func sound() throws {
        for id in [
            "SL", "SC", "nsc", "apple-leaf", "apple-ca", "trustkit", "okhttp-leaf", "okhttp-ca", "curl",
        ] {
            let row = try LabPolicy.named(id)
            guard case .known(let written) = row.semantics(for: target) else { continue }
            // Redirects are the affair of the client, not of its policy.
            let semantics = written.client { $0.followsDowngrade = false }
            let settings = row.soundSettings(for: target)
            for scenario in Scenario.catalogue where scenario.grade(among: settings) == .must {
                let facts = try #require(scenario.facts)
                #expect(
                    scenario.outcome(Prediction(facts, semantics).decision) == scenario.expected,
                    "\(id) \(scenario.id)"
                )
            }
        }
    }
}

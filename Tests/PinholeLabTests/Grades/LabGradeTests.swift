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
        let forms = try LabPolicy.named(row).forms(for: target)
        return Dictionary(grouping: Scenario.catalogue) { $0.grade(among: forms) }
            .mapValues { Set($0.map(\.id)) }
    }

    @Test(
        "what pinning is for is a must of every mechanism that pins and validates",
        arguments: ["SL", "nsc", "apple-leaf", "trustkit", "okhttp-leaf", "curl", "hpkp", "alamo-keys"]
    )
    func must(row: String) throws {
        let must = try grades(row)[.must] ?? []
        for id in [
            "A01", "A02", "A03", "A05", "A09", "A10", "A11", "A12", "A13", "A17", "A24", "B32", "L02", "L03",
        ] {
            #expect(must.contains(id), "\(row) \(id)")
        }
    }

    @Test("what a mechanism cannot express is beyond it, and what nobody notices is beyond all")
    func beyond() throws {
        let android = try grades("nsc")
        #expect(android[.beyond] == ["A28", "B11", "B25", "B26", "L11", "L12"])
        #expect(android[.should] == ["A04", "B24", "L04", "L21"])
        #expect(try grades("curl")[.should] == nil, "curl has one form: the leaf's key")
        #expect(try grades("curl")[.must]?.isSuperset(of: ["A04", "B11", "B24"]) == true)
        #expect(try grades("okhttp-leaf")[.beyond]?.isSuperset(of: ["B13", "B14"]) == true)
        #expect(android[.must]?.isSuperset(of: ["B13", "B14"]) == true, "Android refuses http")
        #expect(try grades("must-staple")[.must]?.contains("B26") == true)
        #expect(try grades("ct-required")[.must]?.contains("B24") == true)
    }

    @Test("the written rows of sound settings have no fault in what is a must")
    func sound() throws {
        for id in [
            "SL", "SC", "nsc", "apple-leaf", "apple-ca", "trustkit", "okhttp-leaf", "okhttp-ca", "curl",
        ] {
            let row = try LabPolicy.named(id)
            guard case .known(let semantics) = row.semantics(for: target) else { continue }
            let forms = row.forms(for: target)
            for scenario in Scenario.catalogue where scenario.grade(among: forms) == .must {
                let facts = try #require(scenario.facts)
                #expect(
                    scenario.outcome(Prediction(facts, semantics).decision) == scenario.expected,
                    "\(id) \(scenario.id)"
                )
            }
        }
    }

    @Test("a cell of a grade that is not judged is told, and is no failure; in a wider profile it is")
    func profiles() throws {
        var run = SampleRun.made(["mine": ["A02": .missed]])
        run.cells[0].grade = .beyond
        let verdict = LabVerdict(run)
        #expect(verdict.status == .asExpected && verdict.headline.hasSuffix("1 more are told and not judged"))
        #expect(LabVerdict(run, profile: .strict).status == .asExpected)
        #expect(LabVerdict(run, profile: .all).status == .unexpected)
        #expect(JUnitReport(run).text.contains("<skipped message=\"missed, and not judged: beyond this"))
        let sarif = SARIFReport(run).text
        #expect(sarif.contains(#""results":[]"#) && sarif.contains(#""notJudged":[{"policy":"mine""#))
        #expect(MarkdownReport(run).text.contains("| mine | beyond: beyond this mechanism, not judged |"))
        run.cells[0].outcome = .inconclusive
        #expect(LabVerdict(run).status == .asExpected, "what does not count may be open")
        #expect(LabVerdict(run, profile: .all).status == .inconclusive)
    }

    @Test("a run that is recorded counts whatever its grade")
    func recorded() throws {
        var run = SampleRun.made()
        run.cells[0].grade = .beyond
        let expectation = Expectation(recording: run)
        #expect(LabVerdict(run, expectation: expectation).headline == "OK: 9 cells as recorded")
        run.cells[0].outcome = .missed
        let verdict = LabVerdict(run, expectation: expectation)
        #expect(verdict.status == .unexpected && verdict.headline == "CHANGED: 1 of 9 cells")
    }

    @Test("a policy that refuses its own server fails, and is told what to change")
    func refusal() async throws {
        let row = LabPolicy("closed", "pins nothing of the server", .own) { target in
            SPKIPolicy(
                pins: [target.world.backupIssuer.certificate.facts].compactMap { Pin(digest: $0.spkiSHA256) }
            )
        }
        let scenarios = Scenario.catalogue.filter { ["A02", "L02"].contains($0.id) }
        let report = try await PinningLab().run(row, against: scenarios, .patient)
        let verdict = LabVerdict(LabDocument(report))
        #expect(verdict.status == .unexpected)
        #expect(verdict.headline.hasPrefix("FAILED: closed refuses its own server: "), "\(verdict.headline)")
    }

    @Test(
        "each client has its own error",
        arguments: [
            ("okhttp-leaf", "A02", "javax.net.ssl.SSLPeerUnverifiedException"),
            ("okhttp-leaf", "A11", "javax.net.ssl.SSLHandshakeException"),
            ("nsc", "A03", "javax.net.ssl.SSLHandshakeException"),
            ("curl", "A02", "curl 90 CURLE_SSL_PINNEDPUBKEYNOTMATCH"),
            ("curl", "A01", "curl 60 CURLE_PEER_FAILED_VERIFICATION"),
            ("dane-211", "A02", "OpenSSL 65 X509_V_ERR_DANE_NO_MATCH"),
            ("hpkp", "A02", "net -150 ERR_SSL_PINNED_KEY_NOT_IN_CERT_CHAIN"),
            ("alamo-keys", "A02", "AFError.serverTrustEvaluationFailed.publicKeyPinningFailed"),
            ("af-key-leaf", "A02", "NSURLErrorDomain -1202 serverCertificateUntrusted"),
            ("SL", "A02", "NSURLErrorDomain -999 cancelled"),
        ]
    )
    func errors(row: String, scenario: String, title: String) async throws {
        let scenarios = Scenario.catalogue.filter { $0.id == scenario }
        let report = try await PinningLab().run(try LabPolicy.named(row), against: scenarios, .patient)
        let error = try #require(LabDocument(report).cells.first?.evidence.first?.error)
        #expect(error.title == title, "\(error)")
    }
}

import PinholeCrypto
import PinholeTrust
import Testing

@testable import PinholeLab
@testable import PinholeReports

@Suite("Grades in reports")
struct GradedReportTests {
    @Test("a miss beyond the profile is reported and does not count; with the profile of all grades it fails")
    func profiles() throws {
        var run = SampleRun.made(["mine": ["A02": .missed]])
        run.cells[0].grade = .beyond
        let verdict = JudgedRun(run).verdict
        #expect(
            verdict.status == .asExpected
                && verdict.headline.hasSuffix("1 more are reported and do not count")
        )
        #expect(JudgedRun(run, profile: .strict).verdict.status == .asExpected)
        #expect(JudgedRun(run, profile: .all).verdict.status == .unexpected)
        #expect(JudgedRun(run).junit.contains("<skipped message=\"missed, and not judged: beyond this"))
        let sarif = JudgedRun(run).sarif()
        #expect(sarif.contains(#""results":[]"#) && sarif.contains(#""notJudged":[{"policy":"mine""#))
        #expect(JudgedRun(run).markdown.contains("| mine | beyond: beyond this mechanism, not judged |"))
        run.cells[0].outcome = .inconclusive
        #expect(JudgedRun(run).verdict.status == .asExpected, "what does not count may be open")
        #expect(JudgedRun(run, profile: .all).verdict.status == .inconclusive)
    }

    @Test("counts a recorded cell of any grade")
    func recorded() throws {
        var run = SampleRun.made()
        run.cells[0].grade = .beyond
        let expectation = Expectation(recording: run)
        #expect(JudgedRun(run, expectation: expectation).verdict.headline == "OK: 9 cells as recorded")
        run.cells[0].outcome = .missed
        let verdict = JudgedRun(run, expectation: expectation).verdict
        #expect(verdict.status == .unexpected && verdict.headline == "CHANGED: 1 of 9 cells")
    }

    @Test("a policy that refuses its own server fails, and the report names the change to make")
    func refusal() async throws {
        let row = LabPolicy("closed", "pins nothing of the server", .own) { target in
            SPKIPolicy(
                pins: [target.world.backupIssuer.certificate.facts].compactMap { Pin(digest: $0.spkiSHA256) }
            )
        }
        let scenarios = Scenario.catalogue.filter { ["A02", "L02"].contains($0.id) }
        let report = try await PinningLab().run(row, against: scenarios, .patient)
        let verdict = JudgedRun(LabDocument(report)).verdict
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

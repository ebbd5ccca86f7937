import PinholeLab
import Testing

@testable import PinholePolicies
@testable import PinholeReports

@Suite("The lab's JUnit report")
struct JUnitReportTests {
    private func read(_ text: String) throws -> MarkupElement { try MarkupReader.read(Array(text.utf8)) }

    @Test("a real run: the user's own policy is the suite, its miss is a failure")
    func real() async throws {
        let root = try read(try await SampleRun.report.value.junit)
        #expect(root.name == "testsuites")
        let suite = try #require(root.children.first)
        #expect(root.children.count == 1)
        #expect(suite.attributes["name"] == "app.json: the app's <policy> & \"pins\"")
        #expect(suite.attributes["hostname"] == "api.pinned.test")
        #expect(suite.attributes["tests"] == "\(SampleRun.scenarios.count)")
        #expect(suite.children.count == SampleRun.scenarios.count)
        let texts = suite.children.flatMap(\.children).map(\.text)
        #expect(!texts.contains { $0.contains("key sha256/") }, "no pin of a key that the run made")
        let stolen = try #require(suite.children.first { $0.attributes["name"]?.hasPrefix("A28") == true })
        #expect(stolen.children.isEmpty, "what no client can detect passes")
    }

    @Test("numbers, failures and errors")
    func numbers() throws {
        let run = SampleRun.made(["mine": ["A02": .missed, "L02": .inconclusive], "AA": ["A02": .missed]])
        let root = try read(JudgedRun(run).junit)
        let suite = try #require(root.children.first)
        for element in [root, suite] {
            #expect(element.attributes["tests"] == "3")
            #expect(element.attributes["failures"] == "1" && element.attributes["errors"] == "1")
        }
        #expect(suite.attributes["timestamp"] == "2026-11-21T10:00:00")
        #expect(suite.children.map(\.name) == ["testcase", "testcase", "testcase"])
        #expect(suite.children[0].attributes == ["name": "A02 title of A02", "classname": "mine"])
        let failure = try #require(suite.children[0].children.first)
        #expect(failure.name == "failure")
        #expect(failure.attributes == ["message": "missed: mine A02 missed.", "type": "missed"])
        #expect(failure.text == "missed: mine A02 missed.\nseen", "GitLab shows no message")
        #expect(suite.children[1].children.isEmpty)
        #expect(suite.children[2].children.map(\.name) == ["error"])
    }

    @Test("without a policy of the user's own every row is a suite")
    func everyRow() throws {
        var run = SampleRun.made(["AA": ["A02": .missed]])
        run.policies.removeFirst()
        run.cells.removeFirst(3)
        let root = try read(JudgedRun(run).junit)
        #expect(root.children.map { $0.attributes["failures"] } == ["0", "1"])
        #expect(root.attributes["tests"] == "6")
    }

    @Test("with an expectation, a case passes if its result is the expected one")
    func expectation() throws {
        let known = SampleRun.made(["mine": ["A02": .missed]])
        let expectation = Expectation(recording: known)
        let same = try read(JudgedRun(known, expectation: expectation).junit)
        #expect(same.attributes["failures"] == "0")
        let other = try read(JudgedRun(SampleRun.made(), expectation: expectation).junit)
        let failure = try #require(other.children.first?.children.first?.children.first)
        #expect(failure.attributes["message"] == "expected missed, found detected: mine A02 detected.")
    }

    @Test("with an expectation the rows that it speaks of are judged too, as by the exit status")
    func recordedRows() throws {
        var recorded = SampleRun.made(["AA": ["A02": .missed]])
        recorded.cells.removeAll { $0.place.policy == "AA" && $0.place.scenario != "A02" }
        let expectation = Expectation(recording: recorded)
        let root = try read(JudgedRun(SampleRun.made(), expectation: expectation).junit)
        #expect(root.children.map { $0.attributes["tests"] } == ["3", "3", "1"])
        #expect(root.attributes["failures"] == "1")
        #expect(JudgedRun(SampleRun.made(), expectation: expectation).verdict.status == .unexpected)
    }

    @Test("rows that were not run are errors")
    func gaps() throws {
        var run = SampleRun.made()
        run.cells.removeLast()
        let root = try read(JudgedRun(run, expectation: Expectation(recording: SampleRun.made())).junit)
        #expect(root.attributes["errors"] == "2")
        #expect(
            root.children.last?.children.map { $0.attributes["name"] } == [
                "AA in L02: not run", "AA in L02: expected, and not run",
            ]
        )
        let part = try SampleRun.part("1/2", ["A02"])
        #expect(try read(JudgedRun(part).junit).attributes["errors"] == "1")
        #expect(try read(JudgedRun(part, isPart: true).junit).attributes["errors"] == "0")
    }

    @Test("control characters and markup in texts leave it well-formed")
    func escaping() throws {
        var run = SampleRun.made(["mine": ["A02": .missed]])
        run.cells[0].reason = "a\u{0}b\u{1b}[31m\n<c> & \"d\" 'e' ]]> \u{ffff}"
        run.cells[0].evidence = [LabEvidence(.accepted, "x\u{8}\ty\nz\u{7f}")]
        let failure = try #require(
            try read(JudgedRun(run).junit).children.first?.children.first?.children.first
        )
        let message = "missed: a\u{2400}b\u{241b}[31m\n<c> & \"d\" 'e' ]]> \u{fffd}"
        #expect(failure.attributes["message"] == message)
        #expect(failure.text == "\(message)\nx\u{2408}\ty\nz\u{2421}")
    }
}

import PinholeTestKit
import Testing

/// `Scripts/run-tests` with a stub in the place of `swift`.
@Suite("Scripts/run-tests", .enabled(if: Executable.find("python3") != nil))
struct TestRunTests {
    @Test("a run without failures passes, and no test runs again")
    func success() async throws {
        let outcome = try await StubbedOutcome.of([.of(["a": .passes, "b": .passes, "c": .isSkipped])])
        #expect(outcome.result.isSuccess, "\(outcome.result)")
        #expect(outcome.calls.count == 1)
        #expect(outcome.lastLine == "2 passed, 0 failed")
        #expect(outcome.result.text.contains("1 skipped\nTest run with 3 tests in 1 suite passed"))
        #expect(outcome.text("test.log") == "the output of the run\n")
    }

    @Test("the times of suites and tests are written beside the log")
    func times() async throws {
        let outcome = try await StubbedOutcome.of([.of(["a": .passes, "b": .passes])])
        let times = try #require(outcome.text("test-times.txt"))
        #expect(times.contains("    2.000      4.000  ThingsTests.Things\n"))
        #expect(times.contains("    1.000      2.000  ThingsTests.Things/a()\n"))
    }

    @Test("a test that fails twice fails the run")
    func failure() async throws {
        let outcome = try await StubbedOutcome.of([
            .of(["a": .fails, "b": .passes]), .of(["a": .fails]),
        ])
        #expect(outcome.result.exit == .code(1))
        #expect(outcome.calls.count == 2)
        #expect(outcome.lastLine == "1 passed, 1 failed")
        #expect(!outcome.result.text.contains("unsteady"))
        #expect(outcome.result.text.contains("ThingsTests/Things.swift:9: a is wrong"))
    }

    @Test("a test that fails once is unsteady, and lets the run pass")
    func unsteady() async throws {
        var second = StubbedRun.of(["a": .passes])
        second.output = "what it said the second time\n"
        let outcome = try await StubbedOutcome.of([.of(["a": .fails, "b": .passes]), second])
        #expect(outcome.result.isSuccess, "\(outcome.result)")
        #expect(outcome.lastLine == "2 passed, 0 failed")
        #expect(outcome.result.text.contains("*unsteady* ThingsTests.Things/a()\n"))
        #expect(outcome.result.text.contains("    ThingsTests/Things.swift:9: a is wrong\n"))
        #expect(outcome.result.text.contains("    what it said the second time\n"))
        #expect(outcome.kept.count == 2)
        let texts = outcome.kept.compactMap { outcome.text("unsteady/test/\($0)") }
        #expect(texts.first?.contains("a is wrong") == true)
        #expect(texts.last == "what it said the second time\n")
    }

    @Test("a test runs again alone, with the flags of the run and without its filters")
    func alone() async throws {
        let outcome = try await StubbedOutcome.of(
            [.of(["a": .fails]), .of(["a": .passes])],
            arguments: ["--skip", "Long", "--scratch-path", "elsewhere", "--filter=Things"]
        )
        let again = try #require(outcome.calls.last)
        let name = #"^ThingsTests\.Things\/a\(\)\/Things\.swift:7:6$"#
        let first = try #require(outcome.calls.first)
        #expect(first.hasSuffix(" --skip Long --scratch-path elsewhere --filter=Things"))
        #expect(again.contains("--skip-build --scratch-path elsewhere --filter \(name) --event-stream"))
    }

    @Test("three unsteady tests fail the run")
    func many() async throws {
        let runs = [StubbedRun.of(["a": .fails, "b": .fails, "c": .fails])]
        let outcome = try await StubbedOutcome.of(runs + ["a", "b", "c"].map { .of([$0: .passes]) })
        #expect(outcome.result.exit == .code(1))
        #expect(outcome.calls.count == 4)
        #expect(outcome.result.text.contains("3 unsteady"))
        #expect(outcome.lastLine == "0 passed, 3 failed")
    }

    @Test("an unsteady test does not hide another test that fails twice")
    func mixed() async throws {
        let outcome = try await StubbedOutcome.of([
            .of(["a": .fails, "b": .fails]), .of(["a": .passes]), .of(["b": .fails]),
        ])
        #expect(outcome.result.exit == .code(1))
        #expect(outcome.lastLine == "1 passed, 1 failed")
    }

    @Test("a crash fails the run, and the summary names the tests that had begun")
    func crash() async throws {
        let outcome = try await StubbedOutcome.of([.of(["a": .fails, "b": .neverEnds, "c": .passes])])
        #expect(outcome.result.exit == .code(1))
        #expect(outcome.calls.count == 1, "no test runs again")
        #expect(outcome.result.text.contains("    Things.swift:1: Fatal error: this was not foreseen\n"))
        #expect(outcome.result.text.contains("    had begun and not ended: ThingsTests.Things/b()\n"))
        #expect(outcome.lastLine == "1 passed, 2 failed")
    }

    @Test("a signal after the closing line fails the run")
    func late() async throws {
        var run = StubbedRun.of(["a": .fails])
        run.output = "error: Process 'tests' exited with unexpected signal code 11\n"
        let outcome = try await StubbedOutcome.of([run])
        #expect(outcome.result.exit == .code(1))
        #expect(outcome.calls.count == 1)
    }

    @Test("an exit code without a failed test fails the run")
    func status() async throws {
        var run = StubbedRun.of(["a": .passes])
        run.status = 66
        let outcome = try await StubbedOutcome.of([run])
        #expect(outcome.result.exit == .code(66))
        #expect(outcome.lastLine.hasPrefix("swift test failed with status 66"))
    }

    @Test("a run in which no test ran has failed", arguments: [StubbedRun.withoutTests, .of([:])])
    func nothing(run: StubbedRun) async throws {
        let outcome = try await StubbedOutcome.of([run])
        #expect(outcome.result.exit == .code(1))
        #expect(outcome.lastLine == "0 passed, 0 failed")
    }

    @Test("a test that is not found or skipped the second time stays a failure")
    func missing() async throws {
        for second in [StubbedRun.of([:]), .of(["a": .isSkipped]), .withoutTests] {
            let outcome = try await StubbedOutcome.of([.of(["a": .fails]), second])
            #expect(outcome.result.exit == .code(1))
            #expect(outcome.result.text.contains("The test was not run the second time:\n"))
            #expect(outcome.lastLine == "0 passed, 1 failed")
        }
    }

    @Test("a limit of 0 runs no test again")
    func strict() async throws {
        let outcome = try await StubbedOutcome.of(
            [.of(["a": .fails])],
            environment: ["PINHOLE_UNSTEADY_LIMIT": "0"]
        )
        #expect(outcome.result.exit == .code(1))
        #expect(outcome.calls.count == 1)
    }
}

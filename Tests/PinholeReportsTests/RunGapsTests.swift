import Testing

@testable import PinholeReports

@Suite("Gaps of a run")
struct RunGapsTests {
    @Test("exit status, JUnit and SARIF report the same missing cells")
    func everywhere() throws {
        var part = try SampleRun.part("1/2", ["A02", "L02"])
        part.host = "other.test"
        part.cells.removeLast()
        let expectation = Expectation(recording: SampleRun.made())
        let run = JudgedRun(part, expectation: expectation)
        #expect(run.runGaps == ["AA in L02: not run", "part 2/2 of the run is missing"])
        #expect(run.recordGaps.count == 2 && run.recordGaps[0].hasPrefix("the record is of api.pinned.test"))
        #expect(run.recordGaps[1] == "AA in L02: expected, and not run")
        let verdict = run.verdict
        let junit = run.junit
        let sarif = run.sarif(below: "/")
        for gap in run.runGaps + run.recordGaps {
            #expect(verdict.reasons.contains(gap) && verdict.summary.contains(gap))
            #expect(junit.contains(gap))
            #expect(sarif.contains(gap))
        }
        #expect(sarif.contains(#""executionSuccessful":false"#))
    }

    @Test("the other parts are no loss of a part")
    func part() throws {
        let part = try SampleRun.part("1/2", ["A02", "L02"])
        #expect(JudgedRun(part, isPart: true).runGaps.isEmpty)
        #expect(JudgedRun(part, isPart: true).sarif(below: "/").contains(#""executionSuccessful":true"#))
        #expect(JudgedRun(part).sarif(below: "/").contains(#""executionSuccessful":false"#))
    }
}

import Testing

@testable import PinholeReports

@Suite("Gaps of a run")
struct RunGapsTests {
    @Test("what is missing is the same for the exit status, JUnit and SARIF")
    func everywhere() throws {
        var part = try SampleRun.part("1/2", ["A02", "L02"])
        part.host = "other.test"
        part.cells.removeLast()
        let expectation = Expectation(recording: SampleRun.made())
        let gaps = RunGaps(part, expectation, isPart: false)
        #expect(gaps.run == ["AA in L02: not run", "part 2/2 of the run is missing"])
        #expect(gaps.record.count == 2 && gaps.record[0].hasPrefix("the record is of api.pinned.test"))
        #expect(gaps.record[1] == "AA in L02: expected, and not run")
        let verdict = LabVerdict(part, expectation: expectation)
        let junit = part.junit(expecting: expectation)
        let sarif = part.sarif(below: "/", expecting: expectation)
        for gap in gaps.run + gaps.record {
            #expect(verdict.reasons.contains(gap) && verdict.summary.contains(gap))
            #expect(junit.contains(gap))
            #expect(sarif.contains(gap))
        }
        #expect(sarif.contains(#""executionSuccessful":false"#))
    }

    @Test("the other parts are no loss of a part")
    func part() throws {
        let part = try SampleRun.part("1/2", ["A02", "L02"])
        #expect(RunGaps(part, nil, isPart: true).run.isEmpty)
        #expect(part.sarif(below: "/", isPart: true).contains(#""executionSuccessful":true"#))
        #expect(part.sarif(below: "/").contains(#""executionSuccessful":false"#))
    }
}

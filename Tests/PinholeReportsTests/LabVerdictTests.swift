import Testing

@testable import PinholeLab
@testable import PinholeReports

@Suite("LabVerdict")
struct LabVerdictTests {
    @Test("as expected: rows that come with the lab may miss")
    func asExpected() {
        let run = SampleRun.made(["SYS": ["A02": .missed], "AA": ["A02": .missed, "L02": .falseAlarm]])
        #expect(LabVerdict(run).status.rawValue == 0)
        #expect(LabVerdict(run).reasons.isEmpty)
    }

    @Test("unexpected: the user's own policy misses or raises a false alarm")
    func own() {
        for outcomes in [["A02": LabOutcome.missed], ["L02": .falseAlarm]] {
            let verdict = LabVerdict(SampleRun.made(["mine": outcomes]))
            #expect(verdict.status.rawValue == 1)
            #expect(verdict.reasons.count == 1 && verdict.reasons[0].hasPrefix("mine in "))
        }
    }

    @Test("inconclusive is never good, and a fault outweighs it")
    func inconclusive() {
        let silent = LabVerdict(SampleRun.made(["SYS": ["A02": .inconclusive]]))
        #expect(silent.status.rawValue == 3)
        #expect(silent.reasons == ["SYS in A02: SYS A02 inconclusive."])
        let both = LabVerdict(SampleRun.made(["SYS": ["A02": .inconclusive], "mine": ["A02": .missed]]))
        #expect(both.status == .unexpected && both.reasons.count == 2)
    }

    @Test("nothing run, or not everything, is never good")
    func empty() throws {
        #expect(LabVerdict(LabDocument(host: "h", started: "s")).status == .inconclusive)
        var gap = SampleRun.made()
        gap.cells.removeLast()
        #expect(LabVerdict(gap).reasons == ["AA in L02: not run"])
        #expect(LabVerdict(gap).gaps == ["AA in L02: not run"])
        let part = try SampleRun.part("1/2", ["A02"])
        #expect(LabVerdict(part).status == .inconclusive)
        #expect(LabVerdict(part, isPart: true).status == .asExpected)
        #expect(LabVerdict(part).gaps == ["part 2/2 of the run is missing"])
        #expect(LabVerdict(part, isPart: true).gaps.isEmpty)
        let none = try SampleRun.part("9/9", [])
        #expect(LabVerdict(none, isPart: true).status == .asExpected)
        #expect(LabVerdict(none).status == .inconclusive)
    }

    @Test("a part only says whether it could be run, and what differs from an expectation")
    func part() throws {
        let miss = try SampleRun.part("1/2", ["A02"], ["mine": ["A02": .missed]])
        #expect(LabVerdict(miss).status == .unexpected)
        #expect(LabVerdict(miss, isPart: true).status == .asExpected)
        let expectation = Expectation(recording: SampleRun.made())
        #expect(LabVerdict(miss, expectation: expectation, isPart: true).status == .unexpected)
        let silent = try SampleRun.part("1/2", ["A02"], ["mine": ["A02": .inconclusive]])
        #expect(LabVerdict(silent, isPart: true).status == .inconclusive)
    }

    @Test("where something is expected of a cell, that alone counts")
    func expectation() {
        let known = SampleRun.made(["mine": ["A02": .missed], "AA": ["A02": .missed]])
        let expectation = Expectation(recording: known)
        #expect(LabVerdict(known, expectation: expectation).status == .asExpected)
        let better = LabVerdict(SampleRun.made(), expectation: expectation)
        #expect(better.status == .unexpected)
        #expect(better.reasons.contains("AA in A02: expected missed, found detected. AA A02 detected."))
        let silent = SampleRun.made(["mine": ["A02": .inconclusive], "AA": ["A02": .missed]])
        #expect(LabVerdict(silent, expectation: expectation).status == .inconclusive)
    }

    @Test("whether it is a comparison at all is told first")
    func summary() {
        let expectation = Expectation(recording: SampleRun.made())
        let run = SampleRun.made([
            "mine": ["A02": .missed, "L02": .inconclusive], "SYS": ["A02": .missed, "L02": .falseAlarm],
        ])
        let verdict = LabVerdict(run, expectation: expectation)
        #expect(verdict.reasons == verdict.summary)
        var other = run
        other.host = "other.test"
        let summary = LabVerdict(other, expectation: expectation).summary
        #expect(summary.count == verdict.reasons.count + 1)
        #expect(summary[0].hasPrefix("the record is of api.pinned.test"))
    }

    @Test("a new cell of the user's own counts by itself, and a cell that is gone is never good")
    func newAndGone() {
        var earlier = SampleRun.made()
        earlier.cells.removeFirst()
        let miss = SampleRun.made(["mine": ["A02": .missed]])
        #expect(LabVerdict(miss, expectation: Expectation(recording: earlier)).status == .unexpected)
        var later = SampleRun.made()
        later.policies.removeLast()
        later.cells.removeLast(3)
        let gone = LabVerdict(later, expectation: Expectation(recording: SampleRun.made()))
        #expect(gone.status == .inconclusive)
        #expect(gone.reasons.contains("AA in A02, A28, L02: expected, and not run"))
    }
}

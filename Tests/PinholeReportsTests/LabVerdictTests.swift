import Testing

@testable import PinholeLab
@testable import PinholeReports

@Suite("LabVerdict")
struct LabVerdictTests {
    @Test("as expected: rows that come with the lab may miss")
    func asExpected() {
        let run = SampleRun.made(["SYS": ["A02": .missed], "AA": ["A02": .missed, "L02": .falseAlarm]])
        #expect(JudgedRun(run).verdict.status.exitCode == 0)
        #expect(JudgedRun(run).verdict.reasons.isEmpty)
    }

    @Test("unexpected: the user's own policy misses or raises a false alarm")
    func own() {
        for outcomes in [["A02": LabOutcome.missed], ["L02": .falseAlarm]] {
            let verdict = JudgedRun(SampleRun.made(["mine": outcomes])).verdict
            #expect(verdict.status.exitCode == 1)
            #expect(verdict.reasons.count == 1 && verdict.reasons[0].hasPrefix("mine in "))
        }
    }

    @Test("each row of the user's own policies has a verdict, and the total counts failed rows")
    func parts() {
        var run = SampleRun.made(["mine": ["A02": .missed]])
        run.hosts = [JudgedHost("mine", "b.test", .notPinned, sentence: "not pinned", isFault: true)]
        let verdict = JudgedRun(run).verdict
        #expect(verdict.parts.map(\.status) == [.unexpected, .unexpected])
        #expect(
            verdict.parts.first?.row == "mine"
                && verdict.parts.first?.text.hasPrefix("missed in A02.") == true
        )
        #expect(
            verdict.total == "FAILED: 2 of 2" && verdict.headline.hasPrefix("FAILED: mine: missed in A02.")
        )
        let markdown = JudgedRun(run).markdown
        #expect(
            markdown.contains("**FAILED: 2 of 2**") && markdown.contains("| mine | FAILED | missed in A02")
        )
        let html = JudgedRun(run).html
        #expect(html.contains("<th scope=\"row\">mine</th><td>FAILED</td><td>missed in A02"))
        let fine = JudgedRun(SampleRun.made()).verdict
        #expect(fine.parts.map(\.status) == [.asExpected] && fine.total == fine.headline)
    }

    @Test("a required host without pins is a fault, and an exempted host is named in an OK")
    func hosts() {
        var run = SampleRun.made()
        run.hosts = [
            JudgedHost("mine", "a.test", .pinned, row: "mine"),
            JudgedHost("mine", "b.test", .notPinned, line: 7, sentence: "not pinned, by line 7"),
        ]
        let fine = JudgedRun(run).verdict
        #expect(fine.status == .asExpected && fine.headline.hasSuffix("; not pinned: b.test (line 7)"))
        run.hosts[1].isFault = true
        let bad = JudgedRun(run).verdict
        #expect(bad.status == .unexpected)
        #expect(bad.headline == "FAILED: mine: b.test: not pinned, by line 7.")
        #expect(JudgedRun(run, expectation: Expectation(recording: run)).verdict.status == .asExpected)
    }

    @Test("a host with another result than the recorded one is a change")
    func changedHost() {
        var run = SampleRun.made()
        run.hosts = [JudgedHost("mine", "a.test", .pinned, row: "mine")]
        let record = Expectation(recording: run)
        run.hosts = [JudgedHost("mine", "a.test", .notPinned)]
        let verdict = JudgedRun(run, expectation: record).verdict
        #expect(verdict.status == .unexpected && verdict.headline == "CHANGED: 1 host")
        #expect(verdict.reasons == ["mine: a.test was pinned, and is not pinned"])
    }

    @Test("reports a row that refuses its own server, also against a record")
    func refusesItsServer() {
        let record = Expectation(recording: SampleRun.made())
        var run = SampleRun.made(["mine": ["A02": .inconclusive, "A28": .inconclusive, "L02": .inconclusive]])
        run.policies[0].fault = "refuses its own server: no pin matches"
        let verdict = JudgedRun(run, expectation: record).verdict
        #expect(verdict.status == .unexpected)
        #expect(verdict.headline == "FAILED: mine refuses its own server: no pin matches.")
    }

    @Test("inconclusive is never good, and a fault outweighs it")
    func inconclusive() {
        let silent = JudgedRun(SampleRun.made(["SYS": ["A02": .inconclusive]])).verdict
        #expect(silent.status.exitCode == 3)
        #expect(silent.reasons == ["SYS in A02: SYS A02 inconclusive."])
        let both = JudgedRun(SampleRun.made(["SYS": ["A02": .inconclusive], "mine": ["A02": .missed]]))
            .verdict
        #expect(both.status == .unexpected && both.reasons.count == 2)
    }

    @Test("nothing run, or not everything, is never good")
    func empty() throws {
        #expect(JudgedRun(LabDocument(host: "h", started: "s")).verdict.status == .inconclusive)
        var gap = SampleRun.made()
        gap.cells.removeLast()
        #expect(JudgedRun(gap).verdict.reasons == ["AA in L02: not run"])
        #expect(JudgedRun(gap).verdict.gaps == ["AA in L02: not run"])
        let part = try SampleRun.part("1/2", ["A02"])
        #expect(JudgedRun(part).verdict.status == .inconclusive)
        #expect(JudgedRun(part, isPart: true).verdict.status == .asExpected)
        #expect(JudgedRun(part).verdict.gaps == ["part 2/2 of the run is missing"])
        #expect(JudgedRun(part, isPart: true).verdict.gaps.isEmpty)
        let none = try SampleRun.part("9/9", [])
        #expect(JudgedRun(none, isPart: true).verdict.status == .asExpected)
        #expect(JudgedRun(none).verdict.status == .inconclusive)
    }

    @Test("a part only says whether it ran, and lists differences from an expectation")
    func part() throws {
        let miss = try SampleRun.part("1/2", ["A02"], ["mine": ["A02": .missed]])
        #expect(JudgedRun(miss).verdict.status == .unexpected)
        #expect(JudgedRun(miss, isPart: true).verdict.status == .asExpected)
        let expectation = Expectation(recording: SampleRun.made())
        #expect(JudgedRun(miss, expectation: expectation, isPart: true).verdict.status == .unexpected)
        let silent = try SampleRun.part("1/2", ["A02"], ["mine": ["A02": .inconclusive]])
        #expect(JudgedRun(silent, isPart: true).verdict.status == .inconclusive)
    }

    @Test("the expectation of a cell alone decides its verdict")
    func expectation() {
        let known = SampleRun.made(["mine": ["A02": .missed], "AA": ["A02": .missed]])
        let expectation = Expectation(recording: known)
        #expect(JudgedRun(known, expectation: expectation).verdict.status == .asExpected)
        let better = JudgedRun(SampleRun.made(), expectation: expectation).verdict
        #expect(better.status == .unexpected)
        #expect(better.reasons.contains("AA in A02: expected missed, found detected. AA A02 detected."))
        let silent = SampleRun.made(["mine": ["A02": .inconclusive], "AA": ["A02": .missed]])
        #expect(JudgedRun(silent, expectation: expectation).verdict.status == .inconclusive)
    }

    @Test("the first line says whether the run was compared")
    func summary() {
        let expectation = Expectation(recording: SampleRun.made())
        let run = SampleRun.made([
            "mine": ["A02": .missed, "L02": .inconclusive], "SYS": ["A02": .missed, "L02": .falseAlarm],
        ])
        let verdict = JudgedRun(run, expectation: expectation).verdict
        #expect(verdict.reasons == verdict.summary)
        var other = run
        other.host = "other.test"
        let summary = JudgedRun(other, expectation: expectation).verdict.summary
        #expect(summary.count == verdict.reasons.count + 1)
        #expect(summary[0].hasPrefix("the record is of api.pinned.test"))
    }

    @Test("a new cell counts by its result, and with a missing cell no run passes")
    func newAndGone() {
        var earlier = SampleRun.made()
        earlier.cells.removeFirst()
        let miss = SampleRun.made(["mine": ["A02": .missed]])
        #expect(JudgedRun(miss, expectation: Expectation(recording: earlier)).verdict.status == .unexpected)
        var later = SampleRun.made()
        later.policies.removeLast()
        later.cells.removeLast(3)
        let gone = JudgedRun(later, expectation: Expectation(recording: SampleRun.made())).verdict
        #expect(gone.status == .inconclusive)
        #expect(gone.reasons.contains("AA in A02, A28, L02: expected, and not run"))
    }
}

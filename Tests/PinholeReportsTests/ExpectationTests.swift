import PinholeLab
import PinholeModel
import Testing

@testable import PinholeReports

@Suite("Expectation")
struct ExpectationTests {
    private let run = SampleRun.made(["SYS": ["A02": .missed], "AA": ["A02": .inconclusive]])

    @Test("is written a line for each cell, and read back")
    func text() throws {
        var run = run
        run.policies[0].digest = "aaaa"
        let expectation = Expectation(recording: run)
        #expect(
            expectation.json == """
                {
                  "version": 1,
                  "host": "api.pinned.test",
                  "sha256": {
                    "mine": "aaaa"
                  },
                  "cells": {
                    "AA": {
                      "A28": "missed",
                      "L02": "accepted"
                    },
                    "SYS": {
                      "A02": "missed",
                      "A28": "missed",
                      "L02": "accepted"
                    },
                    "mine": {
                      "A02": "detected",
                      "A28": "missed",
                      "L02": "accepted"
                    }
                  }
                }

                """
        )
        #expect(try Expectation(parsing: Array(expectation.json.utf8)) == expectation)
        let empty = Expectation(recording: LabDocument(host: "h", started: "s"))
        #expect(try Expectation(parsing: Array(empty.json.utf8)).cells.isEmpty)
    }

    @Test(
        "refuses invalid values",
        arguments: [
            ("{}", "version"), (#"{"version":2,"cells":{}}"#, "version"), (#"{"version":1}"#, "cells"),
            (#"{"version":1,"cells":[]}"#, "cells"), (#"{"version":1,"cells":{"SL":"missed"}}"#, "cells.SL"),
            (#"{"version":1,"cells":{"SL":{"A02":"mised"}}}"#, "cells.SL.A02"),
            (#"{"version":1,"cells":{"SL":{"A02":"inconclusive"}}}"#, "leave the cell out"),
            (#"{"version":1,"cells":{},"more":1}"#, "more"),
            (#"{"version":1,"sha256":{"mine":7},"cells":{}}"#, "sha256.mine"),
            (#"{"version":1,"sha256":{"mine":""},"cells":{}}"#, "sha256.mine"),
            (#"{"version":1,"host":"","cells":{}}"#, "host"),
        ]
    )
    func refuses(text: String, place: String) {
        let failure = #expect(throws: DocumentFailure.self) { try Expectation(parsing: Array(text.utf8)) }
        #expect(failure?.description.contains(place) == true, "\(failure?.description ?? "")")
    }

    @Test("a run equals its recorded expectation, except for inconclusive cells")
    func same() {
        let complete = SampleRun.made(["SYS": ["A02": .missed]])
        let comparison = ExpectationComparison(complete, with: Expectation(recording: run))
        #expect(comparison.result == .same)
        #expect(comparison.new == [LabDocument.Place("AA", "A02")])
        #expect(comparison.missing.isEmpty)
    }

    @Test("differences, new cells and missing cells are listed separately")
    func differences() {
        var later = SampleRun.made(["mine": ["A02": .missed], "AA": ["A28": .inconclusive]])
        later.cells.removeAll { $0.place == LabDocument.Place("SYS", "L02") }
        let comparison = ExpectationComparison(later, with: Expectation(recording: run))
        #expect(comparison.result == .regression)
        #expect(
            comparison.differences.map(\.description) == [
                "mine in A02: expected detected, found missed", "SYS in A02: expected missed, found detected",
            ]
        )
        #expect(comparison.inconclusive == [LabDocument.Place("AA", "A28")])
        #expect(comparison.new == [LabDocument.Place("AA", "A02")])
        #expect(comparison.missing == [LabDocument.Place("SYS", "L02")])
    }

    @Test("a cell that says nothing now, or is not there, is never the same")
    func inconclusive() {
        let silent = SampleRun.made(["SYS": ["A02": .missed], "mine": ["A02": .inconclusive]])
        #expect(
            ExpectationComparison(silent, with: Expectation(recording: run)).result == .inconclusive
        )
        var shorter = SampleRun.made(["SYS": ["A02": .missed]])
        shorter.cells.removeFirst()
        #expect(
            ExpectationComparison(shorter, with: Expectation(recording: run)).result == .inconclusive
        )
    }

    @Test("a run for another host is reported, and never equals the expectation")
    func otherHost() {
        var other = run
        other.host = "other.test"
        let comparison = ExpectationComparison(other, with: Expectation(recording: run))
        #expect(comparison.result == .inconclusive && comparison.differences.isEmpty)
        #expect(comparison.otherHost == .init(recorded: "api.pinned.test", found: "other.test"))
        #expect(comparison.gaps.count == 1 && comparison.gaps[0].contains("--host api.pinned.test"))
        #expect(comparison.changes == ["the record is of api.pinned.test, and this run of other.test"])
        #expect(comparison.heading == "Not all could be compared with the record")
    }

    @Test("changed contents of a policy are reported, and are no fault")
    func changed() {
        var (earlier, later) = (run, run)
        earlier.policies[0].digest = "aaaa"
        later.policies[0].digest = "bbbb"
        earlier.cells.removeAll { $0.outcome == .inconclusive }
        later.cells.removeAll { $0.outcome == .inconclusive }
        let comparison = ExpectationComparison(later, with: Expectation(recording: earlier))
        #expect(comparison.result == .same && comparison.changedRows == ["mine"])
        #expect(comparison.changes == ["mine is another policy, or another command, than what was recorded"])
        #expect(ExpectationComparison(run, with: Expectation(recording: earlier)).changes.isEmpty)
        #expect(ExpectationComparison(earlier, with: Expectation(recording: run)).changes.isEmpty)
    }

    @Test("recordings of an older version are compared")
    func old() throws {
        let text = #"{"version":1,"cells":{"mine":{"A02":"detected"}}}"#
        let expectation = try Expectation(parsing: Array(text.utf8))
        #expect(expectation.host == nil && expectation.digests.isEmpty)
        let comparison = ExpectationComparison(run, with: expectation)
        #expect(comparison.result == .same && comparison.gaps.isEmpty)
    }

    @Test("distinguishes unknown scenarios and rows from others that were not run")
    func unknown() throws {
        let text = #"""
            {"version":1,"cells":{"mine":{"A20x":"detected","A03":"detected"},
            "SYS":{"A20x":"missed","zzzzz":"missed"},"mien":{"A02":"detected"}}}
            """#
        let expectation = try Expectation(parsing: Array(text.utf8))
        let comparison = ExpectationComparison(run, with: expectation)
        #expect(comparison.result == .inconclusive)
        #expect(comparison.missing.map(\.description) == ["mien in A02", "mine in A03"])
        #expect(
            comparison.gaps == [
                "mine in A03: expected, and not run",
                "mien in A02: expected, and there is no such row; to fix it: write “mine”",
                "SYS, mine in A20x: expected, and there is no such scenario; to fix it: write “A20”",
                "SYS in zzzzz: expected, and there is no such scenario; to fix it: pinhole lab list names them all",
            ]
        )
    }

    @Test("a part of a run is compared in its own scenarios")
    func part() throws {
        let part = try SampleRun.part("1/2", ["A28", "L02"])
        #expect(ExpectationComparison(part, with: Expectation(recording: run)).result == .same)
    }
}

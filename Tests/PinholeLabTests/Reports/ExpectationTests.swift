import PinholeModel
import Testing

@testable import PinholeLab

@Suite("Expectation")
struct ExpectationTests {
    private let run = SampleRun.made(["SYS": ["A02": .missed], "AA": ["A02": .inconclusive]])

    @Test("is written a line for each cell, and read back")
    func text() throws {
        let expectation = Expectation(recording: run)
        #expect(
            expectation.json == """
                {
                  "version": 1,
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
        "refuses what is none",
        arguments: [
            ("{}", "version"), (#"{"version":2,"cells":{}}"#, "version"), (#"{"version":1}"#, "cells"),
            (#"{"version":1,"cells":[]}"#, "cells"), (#"{"version":1,"cells":{"SL":"missed"}}"#, "cells.SL"),
            (#"{"version":1,"cells":{"SL":{"A02":"mised"}}}"#, "cells.SL.A02"),
            (#"{"version":1,"cells":{"SL":{"A02":"inconclusive"}}}"#, "leave the cell out"),
            (#"{"version":1,"cells":{},"more":1}"#, "more"),
        ]
    )
    func refuses(text: String, place: String) {
        let failure = #expect(throws: DocumentFailure.self) { try Expectation(parsing: Array(text.utf8)) }
        #expect(failure?.description.contains(place) == true, "\(failure?.description ?? "")")
    }

    @Test("a run is the same as what was recorded of it, but for cells that said nothing")
    func same() {
        let complete = SampleRun.made(["SYS": ["A02": .missed]])
        let comparison = ExpectationComparison(complete, with: Expectation(recording: run))
        #expect(comparison.result == .same)
        #expect(comparison.new == [LabDocument.Place("AA", "A02")])
        #expect(comparison.missing.isEmpty)
    }

    @Test("differences, new cells and missing cells are told apart")
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

    @Test("a part of a run is compared in its own scenarios")
    func part() throws {
        let part = try SampleRun.part("1/2", ["A28", "L02"])
        #expect(ExpectationComparison(part, with: Expectation(recording: run)).result == .same)
    }
}

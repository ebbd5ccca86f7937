import PinholeModel
import Testing

@testable import PinholeLab
@testable import PinholeReports

@Suite("The lab's SARIF report")
struct SARIFReportTests {
    private let run = SampleRun.made([
        "mine": ["A02": .missed, "L02": .falseAlarm], "AA": ["A02": .missed],
    ])

    /// What stands at a path of names and positions.
    private func value(_ text: String, _ path: String...) throws -> JSONValue? {
        var value: JSONValue? = try JSONValue(parsing: Array(text.utf8))
        for step in path {
            switch value {
            case .object(let members): value = members[step]
            case .array(let elements):
                value = Int(step).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
            default: value = nil
            }
        }
        return value
    }

    private func count(_ value: JSONValue?) -> Int? {
        if case .array(let elements) = value { elements.count } else { nil }
    }

    @Test("the report of all built-in rows is within the limits of GitHub")
    func limits() throws {
        var run = LabDocument(host: "api.pinned.test", started: "2026-11-21T10:00:00Z")
        run.scenarios = Scenario.catalogue.map(LabColumn.init)
        run.policies = LabPolicy.builtIn.map { LabDocument.Row(id: $0.id, title: $0.title, stance: .own) }
        for row in run.policies {
            run.cells += run.scenarios.map { column in
                LabDocument.Cell(
                    LabDocument.Place(row.id, column.id),
                    expected: column.expected,
                    outcome: column.kind == .attack ? .missed : .falseAlarm,
                    reason: "It did."
                )
            }
        }
        let text = JudgedRun(run).sarif()
        guard case .array(let rules) = try value(text, "runs", "0", "tool", "driver", "rules"),
            case .array(let results) = try value(text, "runs", "0", "results")
        else {
            Issue.record("no rules or no results")
            return
        }
        #expect(results.count > 4000 && results.count <= 25_000)
        for rule in rules {
            guard case .object(let members) = rule else { continue }
            for name in ["shortDescription", "fullDescription", "help"] {
                guard case .object(let message) = members[name], case .string(let words) = message["text"]
                else {
                    Issue.record("no \(name): \(rule)")
                    continue
                }
                #expect(!words.isEmpty && (name == "help" || words.count <= 1024))
            }
            guard case .object(let bag) = members["properties"], case .array(let tags) = bag["tags"] else {
                continue
            }
            #expect(tags.count <= 10)
        }
        var fingerprints: Set<String> = []
        for result in results {
            guard case .object(let members) = result,
                case .object(let prints) = members["partialFingerprints"],
                case .string(let line) = prints["primaryLocationLineHash"]
            else { continue }
            fingerprints.insert(line)
        }
        #expect(fingerprints.count == results.count)
    }

    @Test("a rule for each scenario, a result for each fault of the user's own policy")
    func results() throws {
        var run = run
        run.policies[0].file = "app/my pins.json"
        let text = JudgedRun(run).sarif()
        #expect(try value(text, "version") == .string("2.1.0"))
        #expect(try count(value(text, "runs", "0", "tool", "driver", "rules")) == 3)
        #expect(try value(text, "runs", "0", "tool", "driver", "rules", "0", "id") == .string("A02"))
        #expect(try count(value(text, "runs", "0", "results")) == 2)
        let first = ["runs", "0", "results", "0"]
        func member(_ path: String...) throws -> JSONValue? {
            var found: JSONValue? = try value(text, first[0], first[1], first[2], first[3])
            for step in path {
                switch found {
                case .object(let members): found = members[step]
                case .array(let elements): found = elements.first
                default: found = nil
                }
            }
            return found
        }
        #expect(try member("ruleId") == .string("A02"))
        #expect(try member("ruleIndex") == .integer(0))
        #expect(try member("level") == .string("error"))
        #expect(try member("message", "text") == .string("mine (the app's own): missed. mine A02 missed."))
        #expect(
            try member("locations", "0", "physicalLocation", "artifactLocation", "uri")
                == .string("app/my%20pins.json")
        )
        #expect(
            try member("locations", "0", "physicalLocation", "region", "startLine") == .integer(1)
        )
        #expect(try member("partialFingerprints", "pinholeCell/v1") == .string("mine/A02/missed"))
        #expect(try value(text, "runs", "0", "results", "1", "level") == .string("warning"))
    }

    @Test(
        "a file is named from the root of the repository, and a made-up one where there is none",
        arguments: [
            ("/repo/app/pins.json", "app/pins.json"), ("./pins.json", "pins.json"),
            ("/elsewhere/pins.json", "file:///elsewhere/pins.json"),
            ("/repository/x", "file:///repository/x"),
            (nil, "pinhole/mine"),
        ] as [(String?, String)]
    )
    func files(_ file: String?, _ uri: String) throws {
        var run = run
        run.policies[0].file = file
        let text = JudgedRun(run).sarif(below: "/repo")
        let results = try value(text, "runs", "0", "results")
        guard case .array(let list) = results, case .object(let first) = list.first,
            case .array(let locations) = first["locations"], case .object(let location) = locations.first,
            case .object(let physical) = location["physicalLocation"],
            case .object(let artifact) = physical["artifactLocation"]
        else {
            Issue.record("no location: \(text)")
            return
        }
        #expect(artifact["uri"] == .string(uri) && location["logicalLocations"] != nil)
    }

    @Test("an expected cell is no result")
    func expectation() throws {
        let text = JudgedRun(run, expectation: Expectation(recording: run)).sarif()
        #expect(try count(value(text, "runs", "0", "results")) == 0)
    }

    @Test("a worse cell than expected is a result; a better one is a note")
    func differences() throws {
        let text = JudgedRun(SampleRun.made(), expectation: Expectation(recording: run)).sarif()
        #expect(try count(value(text, "runs", "0", "results")) == 3)
        #expect(try value(text, "runs", "0", "results", "0", "level") == .string("note"))
        #expect(
            try value(text, "runs", "0", "results", "0", "message", "text")
                == .string("mine (the app's own): expected missed, found detected. mine A02 detected.")
        )
    }

    @Test("a run with an inconclusive cell or without one is no success")
    func gaps() throws {
        let path = ["runs", "0", "invocations", "0", "executionSuccessful"]
        func isSuccess(_ run: LabDocument) throws -> JSONValue? {
            try value(JudgedRun(run).sarif(), path[0], path[1], path[2], path[3], path[4])
        }
        #expect(try isSuccess(run) == .boolean(true))
        #expect(try isSuccess(SampleRun.made(["SYS": ["A02": .inconclusive]])) == .boolean(false))
        var gap = run
        gap.cells.removeLast()
        #expect(try isSuccess(gap) == .boolean(false))
    }

    @Test("a real run without a policy of the user's own reports every row")
    func real() async throws {
        let report = try await PinningLab().run(LabPolicy.modes, against: SampleRun.scenarios, .inMemory)
        let results = try count(value(report.sarif, "runs", "0", "results"))
        #expect(results == report.faults(.baseline).count)
        #expect(results ?? 0 > 0)
    }
}

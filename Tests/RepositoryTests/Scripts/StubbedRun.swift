import Foundation
import PinholeTestKit
import Testing

/// One run of `swift test` that a stub pretends: its event stream, its output and its exit code.
struct StubbedRun {
    /// How a test ends in the run.
    enum Ending {
        case passes, fails, isSkipped, neverEnds
    }

    /// The records of the event stream.
    var records: [String] = []
    /// What the run prints.
    var output = "the output of the run\n"
    /// The exit code of the run.
    var status = 0

    /// A run that never starts a test process, as after an error of the compiler.
    static let withoutTests = StubbedRun(output: "error: it does not compile\n", status: 1)

    /// A run of `tests`: the name of each function with the way it ends.
    ///
    /// The run comes to its closing line, unless a test never ends.
    static func of(_ tests: KeyValuePairs<String, Ending>) -> StubbedRun {
        var run = StubbedRun()
        for (name, ending) in tests { run.add(name, ending) }
        let hasFailed = tests.contains { $0.value == .fails }
        if tests.contains(where: { $0.value == .neverEnds }) {
            run.output = "Things.swift:1: Fatal error: this was not foreseen\n"
        } else {
            let ending = hasFailed ? "failed" : "passed"
            let text = "Test run with \(tests.count) tests in 1 suite \(ending) after 2.000 seconds."
            run.records.append(Self.event("runEnded", of: nil, text: text))
        }
        run.status = hasFailed || run.output.contains("Fatal error") ? 1 : 0
        return run
    }

    /// The identifier that Swift Testing gives to the function called `name`.
    static func identifier(of name: String) -> String { "ThingsTests.Things/\(name)()/Things.swift:7:6" }

    private mutating func add(_ name: String, _ ending: Ending) {
        let id = Self.identifier(of: name)
        records.append(
            #"{"kind":"test","payload":{"id":"\#(id)","kind":"function","name":"\#(name)()"},"version":0}"#
        )
        if ending == .isSkipped {
            records.append(Self.event("testSkipped", of: id))
            return
        }
        records.append(Self.event("testStarted", of: id, at: 1))
        if ending == .fails {
            let issue =
                #","issue":{"isKnown":false,"sourceLocation":{"fileID":"ThingsTests/Things.swift","line":9}}"#
            records.append(Self.event("issueRecorded", of: id, text: "\(name) is wrong", more: issue))
        }
        if ending != .neverEnds { records.append(Self.event("testEnded", of: id, at: 3)) }
    }

    private static func event(
        _ kind: String,
        of test: String?,
        at instant: Int = 2,
        text: String = "",
        more: String = ""
    ) -> String {
        let id = test.map { #","testID":"\#($0)""# } ?? ""
        let message = #"{"symbol":"default","text":"\#(text)"}"#
        return #"{"kind":"event","payload":{"instant":{"absolute":\#(instant)},"kind":"\#(kind)","#
            + #""messages":[\#(message)]\#(id)\#(more)},"version":0}"#
    }
}

/// What `Scripts/run-tests` did with stubbed runs.
struct StubbedOutcome {
    /// How the script ended and what it printed.
    let result: ProcessResult
    /// The arguments of each call of `swift test`.
    let calls: [String]
    /// The folder of the log, of the times and of the outputs that are kept.
    let folder: TemporaryDirectory

    /// The last line that the script printed.
    var lastLine: String { result.text.split(separator: "\n").last.map(String.init) ?? "" }

    /// The text of the file called `name` in the folder; `nil` if it does not exist.
    func text(_ name: String) -> String? {
        (try? folder.read(name)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The names of the kept outputs, sorted.
    var kept: [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.file("unsteady/test"))
        return (names ?? []).filter { $0.hasSuffix(".txt") }.sorted()
    }

    /// Runs `Scripts/run-tests`; each call of `swift test` is one of `runs`, in their order.
    static func of(
        _ runs: [StubbedRun],
        arguments: [String] = [],
        environment: [String: String] = [:]
    ) async throws -> StubbedOutcome {
        let folder = try TemporaryDirectory(prefix: "run-tests")
        try folder.writeScript(stub, to: "swift")
        for (number, run) in runs.enumerated() {
            try folder.write(run.records.map { $0 + "\n" }.joined(), to: "run-\(number).jsonl")
            try folder.write(run.output, to: "run-\(number).txt")
            try folder.write("\(run.status)", to: "run-\(number).status")
        }
        var variables: [String: String?] = [
            "PATH": folder.path + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"),
            "PINHOLE_TEST_LOG": folder.file("test.log"),
            "PINHOLE_TEST_COVERAGE": nil,
            "PINHOLE_UNSTEADY_LIMIT": nil,
        ]
        variables.merge(environment) { $1 }
        let script = Repository.root.appendingPathComponent("Scripts/run-tests").path
        let result = try await ProcessRunner.run(Invocation(script, arguments, environment: variables))
        let calls = String(decoding: try folder.read("calls"), as: UTF8.self)
        return StubbedOutcome(
            result: result,
            calls: calls.split(separator: "\n").map(String.init),
            folder: folder
        )
    }

    /// The program called `swift` that plays the runs.
    private static let stub = """
        #!/bin/sh
        case $* in *--help-hidden*) exit 0 ;; esac
        folder=$(dirname "$0")
        touch "$folder/calls"
        run=$folder/run-$(wc -l <"$folder/calls")
        echo "$*" >>"$folder/calls"
        while [ "$1" != --event-stream-output-path ]; do shift; done
        cp "$run.jsonl" "$2"
        cat "$run.txt"
        exit "$(cat "$run.status")"
        """
}

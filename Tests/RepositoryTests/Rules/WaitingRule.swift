/// How tests wait: for an event, with the one limit that guards against hanging, on threads that no proxy needs.
enum WaitingRule {
    /// The files that may sleep, read a clock or have a limit of their own, with the reason of each.
    static let exceptions = [
        "Tests/Browser/browser.py": "asks the page again and again, up to the patience",
        "Tests/Browser/console_manual.py": "asks for the tabs again and again, up to the patience",
        "Tests/Browser/console_timeline.py": "a server is slow, and the page has to show that time",
        "Tests/Browser/mock_console.py": "the mock is slow on request, and sends a comment every 15 seconds",
        "Tests/Clients/event_stream.py": "a server pauses between the pieces of a stream",
        "Tests/Clients/grpc_calls.py": "a deadline of gRPC passes",
        "Tests/Clients/http2/hostile_server.py": "asks again and again, up to the patience",
        "Tests/Clients/http2/wire.py": "measures memory again and again until it is steady",
        "Tests/Documents/common.sh": "asks again and again, up to the patience",
        "Tests/Documents/origin.py": "a server is slow, and the page has to show that time",
        "Tests/EndToEndTests/BadInput/SlowTests.swift": "a peer sends slowly, and the proxy gives up",
        "Tests/Network/attach.py": "asks again and again, up to the patience",
        "Tests/Network/transparent.py": "asks again and again, up to the patience",
        "Tests/PinholeCommandTests/Output/ProgressLineTests.swift": "a clock of the test has a beginning",
        "Tests/PinholeConsoleTests/API/ConsoleEventsTests.swift": "one event a second is the most",
        "Tests/PinholeConsoleTests/Fuzz/CaptureFuzzTests.swift": "runs for as long as the maintainer asks",
        "Tests/PinholeHTTP2Tests/HTTP2FuzzTests.swift": "runs for as long as the maintainer asks",
        "Tests/PinholeProxyTests/Stack/StackFuzzTests.swift": "runs for as long as the maintainer asks",
        "Tests/PinholeRuntimeTests/Programs/NoticeLimiterTests.swift": "a clock of the test has a beginning",
        "Tests/PinholeRuntimeTests/Programs/ProgramTests.swift": "twenty lines in ten seconds are the most",
        "Tests/PinholeRuntimeTests/Work/WorkBudgetTests.swift": "sleeping takes no processor time",
        "Tests/PinholeStoreTests/Reader/ExchangeJudgesTests.swift": "a deadline has passed",
        "Tests/PinholeStoreTests/Schema/CautionTests.swift": "a deadline passes while a statement runs",
        "Tests/PinholeTestKit/Process/Patience.swift": "asks again and again, up to the patience",
    ]

    /// The files with a property for a continuation: each looks at what it waits for where it keeps the continuation.
    static let keepers = [
        "Sources/PinholeLab/Bench/LabSink.swift", "Sources/PinholeRuntime/Loop/Wakeup.swift",
    ]

    /// The lines of `file` that sleep, read a clock that measures, have a number as a limit, or fill Dispatch's
    /// threads.
    static func occurrences(in file: SourceFile) -> [Int] {
        let isSwift = file.path.hasSuffix(".swift")
        return file.lines.indices.filter { line in
            // A regular expression for each line of all tests takes minutes.
            let text = file.lines[line]
            let words = ["sleep", "timeout", ".wait(", ".join(", "Clock", "timeInterval", "Perform"]
            guard words.contains(where: text.contains) else { return false }
            let mark = isSwift ? "//" : "#"
            let code = text.split(separator: mark, omittingEmptySubsequences: false).first ?? ""
            if isSwift {
                return code.contains(/(Task|Thread)\.sleep\(|(u|nano)sleep\(/)
                    || code.contains(/(Continuous|Suspending)Clock|timeIntervalSince\(|concurrent[P]erform/)
            }
            if file.path.hasSuffix(".sh") { return code.contains(/sleep [0-9$]/) }
            return code.contains(/time\.sleep\(|timeout(=|\()[0-9]|\.(wait|join)\([0-9]/)
        }
    }

    /// The lines of `file` that sleep, read a clock or have a limit of their own, unless the file is an exception.
    static func findings(in file: SourceFile) -> [Finding] {
        guard exceptions[file.path] == nil else { return [] }
        return occurrences(in: file).map {
            Finding(
                file,
                line: $0,
                "wait for an event, with Patience as the limit, on threads of the tests (atOnce); "
                    + "or name the file with a reason in WaitingRule"
            )
        }
    }

    /// The limits that `file` has if the environment names none, in seconds.
    static func defaults(in file: SourceFile) -> [Int] {
        let pattern = /PINHOLE_TEST_PATIENCE(?:"\) or |:-|", ")([0-9]+)/
        let lines = file.lines.filter { $0.contains("PINHOLE_TEST_PATIENCE") }
        return lines.flatMap { line in line.matches(of: pattern).compactMap { Int($0.1) } }
    }
}

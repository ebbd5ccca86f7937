import PinholeTestKit
import Testing

@Suite("Waiting")
struct WaitingTests {
    private static func files(_ endings: String...) throws -> [SourceFile] {
        try endings.flatMap { try Repository.files(below: "Tests", ending: $0) }
    }

    @Test("tests do not sleep, read no clock to wait, and have no limit of their own")
    func waits() throws {
        #expect(try Self.files(".swift", ".py", ".sh").flatMap(WaitingRule.findings) == [])
    }

    @Test("each exception is a file that needs it")
    func exceptions() throws {
        let needy = try Self.files(".swift", ".py", ".sh").filter { !WaitingRule.occurrences(in: $0).isEmpty }
        #expect(Set(WaitingRule.exceptions.keys).subtracting(needy.map(\.path)) == [])
    }

    @Test("programs in other languages have the same default limit")
    func defaults() throws {
        let found = try Self.files(".py", ".sh", ".java").flatMap(WaitingRule.defaults)
        #expect(found.count > 20)
        #expect(found.allSatisfy { $0 == Patience.idleSeconds / 3 })
    }

    @Test(
        "the rule finds sleeps and limits",
        arguments: [
            ("A.swift", "try await Task." + "sleep(for: .seconds(1))"), ("A.swift", "usl" + "eep(20)"),
            ("A.py", "time." + "sleep(3)"), ("A.py", "run(words, timeout=30)"),
            ("A.py", "sock.settimeout(5)"), ("A.py", "process.wait(60)"), ("A.py", "thread.join(60)"),
            ("A.sh", "sleep 0.05"), ("A.swift", "let deadline = Continuous" + "Clock.now"),
            ("A.swift", "DispatchQueue.concurrent" + "Perform(iterations: 2) { _ in"),
        ]
    )
    func findings(path: String, line: String) {
        #expect(WaitingRule.findings(in: SourceFile(path: path, text: line)).count == 1)
    }

    @Test(
        "the rule accepts the patience, and comments",
        arguments: ["timeout=PATIENCE", "# time." + "sleep(3)"]
    )
    func accepted(line: String) {
        #expect(WaitingRule.findings(in: SourceFile(path: "A.py", text: line)) == [])
    }

    @Test(
        "the rule finds the defaults of three languages",
        arguments: [
            #"PATIENCE = int(os.environ.get("PINHOLE_TEST_PATIENCE") or 7)"#,
            #"curl --max-time "${PINHOLE_TEST_PATIENCE:-7}""#,
            #"System.getenv().getOrDefault("PINHOLE_TEST_PATIENCE", "7")"#,
        ]
    )
    func languages(line: String) {
        #expect(WaitingRule.defaults(in: SourceFile(path: "A", text: line)) == [7])
    }

    @Test("a continuation is kept only where no wake-up before the wait is lost")
    func continuations() throws {
        let keepers = try Repository.swiftFiles(below: "Sources").filter {
            $0.lines.contains { $0.contains("Continuation<") && $0.contains(/var \w+: (Checked|Unsafe)Con/) }
        }
        #expect(keepers.map(\.path) == WaitingRule.keepers)
    }
}

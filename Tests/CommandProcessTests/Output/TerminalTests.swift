import Foundation
import PinholeTestKit
import Testing

/// The output of commands on a terminal, which script(1) provides.
@Suite("Terminals")
struct TerminalTests {
    /// Runs pinhole in a terminal.
    ///
    /// - Parameters:
    ///   - binary: The program and its folder.
    ///   - columns: The width of the terminal.
    ///   - arguments: The arguments, as a shell reads them.
    ///   - variables: Variables of the environment.
    /// - Returns: Everything that came, standard error included.
    /// - Throws: The system's error if script(1) cannot be run.
    private func shown(
        _ binary: PinholeBinary,
        _ columns: Int,
        _ arguments: String,
        _ variables: [String: String?] = [:]
    ) async throws -> String {
        var invocation = binary.invocation([], ["TERM": "xterm", "NO_COLOR": nil].merging(variables) { $1 })
        let program = "stty cols \(columns); exec '\(invocation.executable)' \(arguments)"
        invocation.executable = "script"
        invocation.arguments = ["-q", "-e", "-c", program, "/dev/null"]
        let result = try await ProcessRunner.run(invocation)
        return result.text.replacingOccurrences(of: "\r\n", with: "\n")
    }

    private static func lines(_ text: String) -> [String] {
        text.replacing(/\u{1b}\[[0-9;]*m/, with: "").split(separator: "\n").map(String.init)
    }

    /// Commands whose output has lines that are too long for a terminal of 80 columns otherwise.
    static let listings = [
        "", "flows filter", "rules kinds", "doctor", "lab list", "lab list A09 SL A28", "pins check pins.xml",
        "explain example.com", "judge", "ca show", "config trust", "fetch --explain http://127.0.0.1:1/",
    ]

    @Test("no listing is wider than the terminal", arguments: listings, [80, 200])
    func width(_ arguments: String, _ columns: Int) async throws {
        let binary = try PinholeBinary()
        try binary.directory.write(Self.pins, to: "pins.xml")
        if arguments == "ca show" { _ = try await binary.run("ca", "init") }
        let text = try await shown(binary, columns, arguments)
        #expect(!text.isEmpty)
        // A name of a folder is as long as it is.
        let wide = Self.lines(text).filter { $0.count > columns && !$0.contains(binary.directory.path) }
        #expect(wide.isEmpty, "\(wide)")
    }

    private static let pins = """
        <network-security-config><domain-config><domain>api.example.com</domain><pin-set expiration="2020-01-01">
        <pin digest="SHA-256">AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=</pin>
        </pin-set></domain-config></network-security-config>
        """

    @Test("a wide terminal gets the scenarios side by side")
    func columns() async throws {
        let binary = try PinholeBinary()
        let narrow = Self.lines(try await shown(binary, 80, "lab list"))
        let wide = Self.lines(try await shown(binary, 200, "lab list"))
        #expect(wide.count * 3 < narrow.count * 2, "\(wide)")
        #expect(wide.contains { $0.contains("A01  interception") && $0.contains("A04  the pinned CA") })
    }

    @Test(
        "a terminal gets colours; with NO_COLOR, or on a dumb terminal, there are none",
        arguments: [
            ([:], true), (["NO_COLOR": "1"], false), (["NO_COLOR": ""], true), (["TERM": "dumb"], false),
        ] as [([String: String], Bool)]
    )
    func colours(_ variables: [String: String], _ areExpected: Bool) async throws {
        let binary = try PinholeBinary()
        for arguments in ["lab list", "doctor", "pins check pins.xml"] {
            try binary.directory.write(Self.pins, to: "pins.xml")
            let text = try await shown(binary, 80, arguments, variables.mapValues { $0 })
            #expect(text.contains("\u{1b}[") == areExpected, "\(arguments): \(text)")
        }
    }

    @Test("a body is laid out on a terminal, with a reported size or without", arguments: [0, 80])
    func layout(_ columns: Int) async throws {
        let binary = try PinholeBinary()
        let har = """
            {"log": {"version": "1.2", "creator": {"name": "t", "version": "1"}, "entries": [{
             "startedDateTime": "2026-01-01T00:00:00Z", "time": 1, "timings": {"send": 0, "wait": 1, "receive": 0},
             "request": {"method": "GET", "url": "http://a.test/", "httpVersion": "HTTP/1.1", "headers": []},
             "response": {"status": 200, "statusText": "OK", "httpVersion": "HTTP/1.1", "headers": [],
              "content": {"size": 7, "mimeType": "application/json", "text": "{\\"a\\":1}"}}}]}}
            """
        try binary.directory.write(har, to: "a.har")
        let imported = try await binary.run("flows", "import", "a.har", "--into", "a.sqlite")
        #expect(imported.isSuccess, "\(imported)")
        for arguments in ["'path == /'", "--body 2"] {
            let words = "flows show --capture a.sqlite \(arguments)"
            let lines = Self.lines(try await shown(binary, columns, words))
            #expect(lines.contains { $0.hasSuffix("  \"a\": 1") }, "\(lines)")
        }
    }

    @Test("the lab says once on a terminal that it uses no CA; a pipe gets neither that nor progress")
    func lab() async throws {
        let binary = try PinholeBinary(keepsItsOwn: false)
        let arguments = "lab --row SYS,SL --scenario A01,A02,L02"
        let piped = try await ProcessRunner.run(
            binary.invocation(arguments.split(separator: " ").map(String.init))
        )
        #expect(piped.isSuccess && piped.errorText.isEmpty, "\(piped)")
        let first = try await shown(binary, 80, arguments)
        #expect(first.contains("the lab uses no CA of yours"), "\(first)")
        let second = try await shown(binary, 80, arguments)
        #expect(!second.contains("no CA of yours"), "\(second)")
        let dumb = try await shown(binary, 80, arguments, ["TERM": "dumb"])
        #expect(!dumb.contains("\u{1b}"), "\(dumb)")
    }
}

import Foundation
import PinholeLab
import PinholeTestKit
import PinholeTrust
import Testing

/// Documents of somebody else that name files, on every way into the program.
@Suite("files that a document names")
struct NamedFilesTests {
    private static let secret = "hunter2hunter2"

    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        try directory.write("AWS_SECRET=\(Self.secret)\n", to: "key.txt")
        try FileManager.default.createDirectory(
            atPath: directory.file("repo"),
            withIntermediateDirectories: true
        )
    }

    private func run(_ words: [String], input: String = "") async throws -> ProcessResult {
        let binary = try #require(Executable.pinhole, "`swift build --product pinhole` comes first")
        return try await ProcessRunner.run(
            Invocation(
                binary,
                words,
                environment: ["DEPLOY_TOKEN": Self.secret],
                directory: directory.path,
                input: Array(input.utf8)
            )
        )
    }

    @Test(
        "no command quotes the environment or a file outside of the document's folder",
        arguments: ["/proc/self/environ", "../key.txt", "link", "/dev/stdin"],
        [
            ["pins", "check", "--sarif", "out.sarif", "--junit", "out.xml", "repo/policy.json"],
            ["pins", "check", "--json", "repo/policy.json"], ["pins", "check", "--recursive", "repo"],
            ["pins", "compare", "repo/policy.json", "repo/other.txt"],
            ["pins", "rotate", "--plan", "repo/plan.json"],
            ["lab", "run", "--only-own", "--markdown", "-", "--policy", "repo/policy.json"],
            ["judge", "--cases", "repo/cases.jsonl", "--root", "repo"],
            ["fetch", "--policy", "repo/policy.json", "https://127.0.0.1:1/"],
        ]
    )
    func quoting(_ name: String, _ command: [String]) async throws {
        try FileManager.default.createSymbolicLink(
            atPath: directory.file("repo/link"),
            withDestinationPath: "../key.txt"
        )
        let policy = #"{"mechanism": "tofu", "policy": {"store": "\#(name)"}}"#
        try directory.write(policy, to: "repo/policy.json")
        try directory.write("a.test sha256/\(String(repeating: "A", count: 43))=\n", to: "repo/other.txt")
        try directory.write(
            #"{"host": "a.test", "server": [{"day": "2027-01-01", "chain": "\#(name)"}], "releases": "#
                + #"[{"day": "2027-01-01", "version": "1", "policy": "\#(name)"}]}"#,
            to: "repo/plan.json"
        )
        let evidence = #""presented": ["\#(name)"], "anchors": ["\#(name)"], "time": "2027-01-01T00:00:00Z""#
        try directory.write(#"{"mechanism": "system", \#(evidence)}"# + "\n", to: "repo/cases.jsonl")
        let result = try await run(command, input: Self.secret)
        #expect(result.exit != .code(0) || command[0] == "judge", "\(result)")
        let reports = ["out.sarif", "out.xml"].map {
            (try? String(contentsOfFile: directory.file($0), encoding: .utf8)) ?? ""
        }
        let said = result.text + result.errorText + reports.joined()
        #expect(said.contains("is outside of the folders") && !said.contains(Self.secret), "\(said)")
    }

    @Test("certificates beside a document are read; others with --files, as the message says")
    func granted() async throws {
        let certificate = Data(try LabWorld().root.der)
        try certificate.write(to: URL(filePath: directory.file("repo/ca.der")))
        try FileManager.default.createDirectory(
            atPath: directory.file("ssl"),
            withIntermediateDirectories: true
        )
        try certificate.write(to: URL(filePath: directory.file("ssl/ca.der")))
        func check(_ name: String, _ words: String...) async throws -> ProcessResult {
            let policy = #"{"mechanism": "anchors-only", "policy": {"anchors": ["\#(name)"]}}"#
            try directory.write(policy, to: "repo/policy.json")
            return try await run(["pins", "check", "repo/policy.json"] + words)
        }
        #expect(try await check("ca.der").isSuccess)
        #expect(try await check(directory.file("repo/ca.der")).isSuccess)
        let outside = try await check(directory.file("ssl/ca.der"))
        #expect(outside.exit == .code(1), "\(outside)")
        let flag = try #require(outside.text.firstMatch(of: /--files (\S+\/ssl)/)).1
        #expect(try await check(directory.file("ssl/ca.der"), "--files", String(flag)).isSuccess)
        #expect(try await check("../ssl/ca.der", "--files", "ssl").isSuccess)
        let policy = #"{"mechanism": "anchors-only", "policy": {"anchors": ["ca.der"]}}"#
        let piped = try await run(["pins", "check", "-"], input: policy)
        #expect(piped.exit == .code(1) && piped.text.contains("a document may name no file here"), "\(piped)")
        #expect(try await run(["pins", "check", "-", "--files", "ssl"], input: policy).isSuccess)
        #expect(try await check("none.der", "--files", "nowhere").exit == .code(3))
    }

    @Test("cases from standard input name files below --root, and none without it")
    func cases() async throws {
        try Data(try LabWorld().root.der).write(to: URL(filePath: directory.file("ca.der")))
        let evidence = #""presented": ["ca.der"], "anchors": ["ca.der"], "time": "2027-01-01T00:00:00Z""#
        let line = #"{"id": 1, "mechanism": "system", \#(evidence)}"# + "\n"
        let rooted = try await run(["judge", "--cases", "-", "--root", "."], input: line)
        #expect(rooted.text.contains(#""verdict":"#), "\(rooted)")
        let none = try await run(["judge", "--cases", "-"], input: line)
        #expect(none.text.contains("a document may name no file here"), "\(none)")
        #expect(none.text.contains("below --root DIR or --files DIR"), "\(none)")
        let other = try TemporaryDirectory()
        let outside = try await run(["judge", "--cases", "-", "--files", other.path], input: line)
        #expect(outside.text.contains("to allow its folder: --root . or --files "), "\(outside)")
        let both = try await run(["judge", "--cases", "-", "--files", "."], input: line)
        #expect(both.text.contains(#""verdict":"#), "\(both)")
        let far = line.replacing("ca.der", with: "/etc/hosts")
        let rootedFar = try await run(["judge", "--cases", "-", "--root", "."], input: far)
        #expect(rootedFar.text.contains("to allow its folder: --files /etc"), "\(rootedFar)")
    }

    @Test("a document that is a link out of the working directory is refused")
    func links() async throws {
        let other = try TemporaryDirectory()
        try other.write("AWS_SECRET=\(Self.secret)\n", to: "pins.txt")
        for target in [other.file("pins.txt"), "/proc/self/environ"] {
            let link = directory.file("repo/pins.txt")
            try? FileManager.default.removeItem(atPath: link)
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
            let result = try await run(["pins", "check", "repo/pins.txt"])
            #expect(result.exit == .code(3) && result.errorText.contains("is a symbolic link"), "\(result)")
            #expect(!(result.text + result.errorText).contains(Self.secret))
        }
    }

    @Test("an agent's policy names no file, and the answer does not depend on the disk")
    func agents() async throws {
        // A capture is made only if something is imported.
        let archive =
            #"{"log": {"entries": [{"startedDateTime": "2026-01-01T00:00:00Z", "time": 1, "#
            + #""request": {"method": "GET", "url": "http://a.test/", "httpVersion": "HTTP/1.1", "headers": []}, "#
            + #""response": {"status": 204, "httpVersion": "HTTP/1.1", "headers": [], "content": {"size": 0}}}]}}"#
        let made = try await run(
            ["flows", "import", "-", "--format", "har", "--into", "m.sqlite"],
            input: archive
        )
        #expect(made.isSuccess)
        func answer(_ name: String) async throws -> String {
            let policy = #"{\"mechanism\": \"tofu\", \"policy\": {\"store\": \"\#(name)\"}}"#
            let call =
                #"{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "run_lab", "arguments": "#
                + #"{"policy": "\#(policy)"}}}"# + "\n"
            let result = try await run(["mcp", "--capture", "m.sqlite"], input: call)
            return (result.text + result.errorText).replacing(name, with: "it")
        }
        let answers = [
            try await answer(directory.file("key.txt")), try await answer(directory.file("none.txt")),
            try await answer("/proc/self/environ"),
        ]
        #expect(
            Set(answers).count == 1 && answers[0].contains("a document may name no file here"),
            "\(answers)"
        )
        #expect(!answers.joined().contains(Self.secret))
    }
}

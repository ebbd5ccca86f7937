import Foundation
import PinholeModel
import PinholeRuntime
import PinholeStore
import PinholeTestKit
import Testing

/// `pinhole proxy --replay`: answers out of a capture, for hosts that there are not.
@Suite("Replay of answers", .serialized)
struct ServerReplayTests {
    private static let archive = #"""
        {"log":{"version":"1.2","entries":[
        {"request":{"method":"GET","url":"https://nowhere.invalid/a?x=1"},
        "response":{"status":200,"headers":[{"name":"X-From","value":"one"}],"content":{"text":"one"}}},
        {"request":{"method":"GET","url":"https://nowhere.invalid/a?x=1"},
        "response":{"status":201,"headers":[],"content":{"text":"two"}}},
        {"request":{"method":"POST","url":"https://nowhere.invalid/login","postData":{"text":"user=a"}},
        "response":{"status":403,"headers":[],"content":{"text":"no"}}},
        {"request":{"method":"GET","url":"http://plain.invalid/"},
        "response":{"status":200,"headers":[],"content":{"text":"plain"}}}]}}
        """#

    /// A capture that was imported.
    private static func imported() async throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory(prefix: "pinhole-replay")
        try directory.write(archive, to: "a.har")
        let binary = try #require(Executable.pinhole)
        let result = try await ProcessRunner.run(
            Invocation(
                binary,
                ["flows", "import", "a.har", "--into", "a.sqlite"],
                directory: directory.path
            )
        )
        try #require(result.isSuccess, "\(result)")
        return directory
    }

    /// What curl gets: the body, and behind it the status.
    private static func ask(_ stage: Stage, _ version: String, _ words: String...) async throws -> String {
        try await ask(stage, version, words)
    }

    private static func ask(_ stage: Stage, _ version: String, _ words: [String]) async throws -> String {
        let result = try await ProcessRunner.run(
            Invocation(
                "curl",
                [
                    "-sS", version, "--max-time", "\(Patience.seconds)", "--cacert", stage.authorityPath,
                    "-x",
                    "http://127.0.0.1:\(stage.port)", "-w", " %{http_code}",
                ] + words,
                environment: ["NO_PROXY": "", "no_proxy": ""]
            )
        )
        return result.text + result.errorText
    }

    private static func expect(_ expected: String, _ found: String) { #expect(found == expected) }

    private static func setup(_ directory: TemporaryDirectory, _ words: String...) -> Stage.Setup {
        var setup = Stage.Setup()
        setup.overrides = []
        setup.arguments = ["--replay", directory.file("a.sqlite")] + words
        return setup
    }

    @Test(
        "compares bodies where that is wanted",
        .enabled(if: Executable.find("curl") != nil, "curl is not installed"),
        arguments: ["--http1.1", "--http2"]
    )
    func bodies(version: String) async throws {
        let directory = try await Self.imported()
        try await Stage.run(Self.setup(directory, "--replay-match", "strict")) { stage in
            let url = "https://nowhere.invalid/login"
            try await Self.expect("no 403", Self.ask(stage, version, "-d", "user=a", url))
            let other = try await Self.ask(stage, version, "-d", "user=b", url)
            #expect(other.hasSuffix(" 502") && other.contains("with this body"), "\(other)")
            try await Self.expect("one 200", Self.ask(stage, version, "https://nowhere.invalid/a?x=1"))
        }
    }

    @Test(
        "answers in their order, without a network, in both versions of HTTP",
        .enabled(if: Executable.find("curl") != nil, "curl is not installed"),
        arguments: ["--http1.1", "--http2"]
    )
    func strict(version: String) async throws {
        let directory = try await Self.imported()
        try await Stage.run(Self.setup(directory)) { stage in
            let url = "https://nowhere.invalid/a?x=1"
            try await Self.expect("one 200", Self.ask(stage, version, url))
            let second = try await Self.ask(stage, version, "-i", url)
            #expect(second.contains("two 201"))
            try await Self.expect("two 201", Self.ask(stage, version, url))
            let login = "https://nowhere.invalid/login"
            try await Self.expect("no 403", Self.ask(stage, version, "-d", "user=a", login))
            try await Self.expect("plain 200", Self.ask(stage, version, "http://plain.invalid/"))
            let unknown = try await Self.ask(stage, version, "https://other.invalid/b")
            #expect(unknown.contains("has no answer to GET https://other.invalid/b"), "\(unknown)")
            #expect(unknown.hasSuffix(" 502"))
            let upgrade = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"]
            let words = upgrade.flatMap { ["-H", $0] } + ["http://plain.invalid/socket"]
            let socket = try await Self.ask(stage, "--http1.1", words)
            #expect(socket.contains("WebSockets are not replayed") && socket.hasSuffix(" 502"), "\(socket)")
            let capture = try await stage.capture()
            let exchanges = try capture.exchanges(order: .oldestFirst, limit: 10)
            #expect(exchanges.map(\.status) == [200, 201, 201, 403, 200, 502, 502])
            let id = try #require(exchanges.first?.id)
            let first = try #require(try capture.exchange(id))
            #expect(first.rules.map(\.kind) == ["replay"])
            guard case .answeredByProxy(let reason) = first.outcome else {
                Issue.record("\(first)")
                return
            }
            #expect(reason.contains("looked for in \(directory.file("a.sqlite")): exchange "), "\(reason)")
        }
    }

    @Test(
        "each answer once, other hosts, and servers for the rest",
        .enabled(if: Executable.find("curl") != nil, "curl is not installed")
    )
    func loose() async throws {
        let directory = try await Self.imported()
        var setup = Self.setup(
            directory,
            "--replay-unknown",
            "pass",
            "--replay-once",
            "--replay-ignore",
            "host",
            "--replay-ignore",
            "port"
        )
        setup.overrides = ["*:*:127.0.0.1"]
        try await Stage.run(setup) { stage in
            let url = "https://\(stage.authority)"
            try await Self.expect("one 200", Self.ask(stage, "--http1.1", url + "/a?x=1"))
            try await Self.expect("two 201", Self.ask(stage, "--http1.1", url + "/a?x=1"))
            let third = try await Self.ask(stage, "--http1.1", url + "/a?x=1")
            #expect(third.hasSuffix("404"))
            let json = try await Self.ask(stage, "--http1.1", url + "/json")
            #expect(json.contains("teapot"))
        }
    }

    @Test("offline, a request without a matching rule is refused, and nothing is resolved or relayed")
    func offline() async throws {
        var setup = Stage.Setup()
        setup.overrides = []
        setup.arguments = ["--offline"]
        setup.configuration =
            #"{"rules": [{"do": "mock", "when": "path == /tea", "status": 418, "body": "tea"}]}"#
        try await Stage.run(setup) { stage in
            let tea = try await Self.ask(stage, "--http2", "https://nowhere.invalid/tea")
            #expect(tea == "tea 418", "\(tea)")
            let other = try await Self.ask(stage, "--http1.1", "https://nowhere.invalid/")
            #expect(other.contains("Pinhole is offline") && other.hasSuffix(" 502"), "\(other)")
            try await blocking {
                let opaque = try Connection(to: stage.port)
                try opaque.connectTunnel("nowhere.invalid:22")
                try opaque.send("SSH-2.0-x\r\n")
                let rest = (try? opaque.readToEnd()) ?? []
                #expect(rest.isEmpty)
            }
            let flow = try await stage.event { $0.type == "flow" }
            #expect(flow.authority == "nowhere.invalid:22")
        }
    }

    @Test("a capture that is not there keeps the proxy from starting")
    func missing() async throws {
        let directory = try TemporaryDirectory()
        let binary = try #require(Executable.pinhole)
        let result = try await ProcessRunner.run(
            Invocation(
                binary,
                ["proxy", "--listen", "127.0.0.1:0", "--capture", "none", "--replay", "none.sqlite"],
                directory: directory.path
            )
        )
        #expect(
            result.exit == .code(3) && result.errorText.contains("“--replay” has no capture"),
            "\(result)"
        )
    }
}

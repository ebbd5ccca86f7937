import Foundation
import PinholeTestKit
import Testing

@Suite("Obstacles to the start of the proxy", .serialized)
struct StartTests {
    /// Starts the proxy, which has to end by itself.
    private static func run(
        _ setup: Stage.Setup,
        _ prepare: (TemporaryDirectory) async throws -> Void = { _ in }
    ) async throws -> ProcessResult {
        let directory = try TemporaryDirectory(prefix: "pinhole-e2e")
        var setup = setup
        setup.serverRoots = []
        try await prepare(directory)
        var invocation = try Stage.invocation(setup, in: directory)
        // There is no origin here.
        if let index = invocation.arguments.firstIndex(of: "--upstream-ca") {
            invocation.arguments.removeSubrange(index...(index + 1))
        }
        let result = try await ProcessRunner.run(invocation)
        #expect(result.output.isEmpty, "nothing but JSON belongs on standard output")
        return result
    }

    /// Makes a CA in `directory`.
    private static func makeAuthority(_ directory: TemporaryDirectory) async throws {
        let binary = try #require(Executable.pinhole)
        let result = try await ProcessRunner.run(
            Invocation(binary, ["ca", "init", "--ca-dir", directory.file("ca")], directory: directory.path)
        )
        try #require(result.isSuccess, "\(result)")
    }

    @Test("a port that is in use")
    func portInUse() async throws {
        let other = try RawServer { _, _ in }
        var setup = Stage.Setup()
        setup.arguments = ["--listen", "127.0.0.1:\(other.port)"]
        setup.replacesListen = true
        let directory = try TemporaryDirectory(prefix: "pinhole-e2e")
        var invocation = try Stage.invocation(setup, in: directory)
        let index = try #require(invocation.arguments.firstIndex(of: "--upstream-ca"))
        invocation.arguments.removeSubrange(index...(index + 1))
        let result = try await ProcessRunner.run(invocation)
        #expect(result.exit == .code(3))
        #expect(result.errorText.contains("127.0.0.1:\(other.port)"))
        #expect(result.errorText.contains("in use"))
        #expect(result.errorText.contains("--listen"))
    }

    @Test(
        "a config.json with a misspelled key: the message names the place and the nearest key",
        arguments: [
            (#"{"tls": {"passtrough": []}}"#, ["tls", "passtrough", "passthrough"]),
            (#"{"limit": {}}"#, ["limit", "limits"]),
            (#"{"proxy": {"listn": ["127.0.0.1:0"]}}"#, ["proxy", "listn", "listen"]),
            (#"{"limits": {"headTimeoutSecond": 3}}"#, ["limits", "headTimeoutSeconds"]),
            (#"{"limits": {"headTimeoutSeconds": "3"}}"#, ["limits.headTimeoutSeconds", "number"]),
            (#"{"limits": {"tunnels": 0}}"#, ["limits.tunnels", "1"]),
            (#"{"tls": {"badCertificate": "mirorr"}}"#, ["tls.badCertificate", "mirror"]),
            (#"{"tls": {"exemptions": [{"hosts": ["a"]}]}}"#, ["tls.exemptions[0]", "reason"]),
            (#"{"tls": {"#, ["config.json"]),
            ("[]", ["config.json", "object"]),
            ("", ["config.json", "found nothing; to fix it: write {} for an object without members"]),
        ]
    )
    func configuration(text: String, words: [String]) async throws {
        var setup = Stage.Setup()
        setup.configuration = text
        let result = try await Self.run(setup)
        #expect(result.exit == .code(3) || result.exit == .code(2), "\(result)")
        for word in words {
            #expect(result.errorText.contains(word), "\(word) is not in: \(result.errorText)")
        }
    }

    @Test("an --interceptor that is no command to a shell", arguments: ["", " ", "''"])
    func noInterceptor(text: String) async throws {
        var setup = Stage.Setup()
        setup.arguments = ["--interceptor", text]
        let result = try await Self.run(setup)
        #expect(result.exit == .code(2), "\(result)")
        #expect(result.errorText.contains("expected a command as a shell reads it, found “\(text)”"))
    }

    @Test("a configuration that is not there")
    func missingConfiguration() async throws {
        var setup = Stage.Setup()
        setup.arguments = ["--config", "nowhere.json"]
        let result = try await Self.run(setup)
        #expect(result.exit == .code(3), "\(result)")
        #expect(result.errorText.contains("nowhere.json"))
    }

    @Test("a CA file that is garbage", arguments: ["rootCA.pem", "rootCA-key.pem"])
    func garbageAuthority(file: String) async throws {
        let result = try await Self.run(Stage.Setup()) { directory in
            try await Self.makeAuthority(directory)
            let handle = try #require(FileHandle(forWritingAtPath: directory.file("ca/\(file)")))
            try handle.truncate(atOffset: 0)
            try handle.write(contentsOf: Data("garbage\n".utf8))
        }
        #expect(result.exit == .code(3), "\(result)")
        #expect(result.errorText.contains("ca/\(file)"), "\(result)")
        #expect(result.errorText.contains("PEM"), "\(result)")
    }

    @Test("an --upstream-ca that is garbage or not there", arguments: ["garbage.pem", "nowhere.pem"])
    func garbageServers(file: String) async throws {
        var setup = Stage.Setup()
        setup.arguments = ["--upstream-ca", file]
        let directory = try TemporaryDirectory(prefix: "pinhole-e2e")
        try directory.write("garbage\n", to: "garbage.pem")
        try directory.write("", to: "servers.pem")
        var invocation = try Stage.invocation(setup, in: directory)
        let index = try #require(invocation.arguments.firstIndex(of: "--upstream-ca"))
        invocation.arguments.removeSubrange(index...(index + 1))
        let result = try await ProcessRunner.run(invocation)
        #expect(result.exit == .code(3), "\(result)")
        #expect(result.errorText.contains(file), "\(result)")
    }

    @Test("a key that others may read: the message is the command that fixes it")
    func laxKey() async throws {
        let result = try await Self.run(Stage.Setup()) { directory in
            try await Self.makeAuthority(directory)
            chmod(directory.file("ca/rootCA-key.pem"), 0o644)
        }
        #expect(result.exit == .code(3), "\(result)")
        #expect(result.errorText.contains("chmod 600 "), "\(result)")
        #expect(result.errorText.contains("ca/rootCA-key.pem"), "\(result)")
    }

    @Test("a directory of the CA that others may write: the message is the command that fixes it")
    func laxDirectory() async throws {
        let result = try await Self.run(Stage.Setup()) { directory in
            try await Self.makeAuthority(directory)
            chmod(directory.file("ca"), 0o777)
        }
        #expect(result.exit == .code(3), "\(result)")
        #expect(result.errorText.contains("chmod 700 "), "\(result)")
    }

    @Test("a capture that is none is not touched")
    func noCapture() async throws {
        let garbage = String(repeating: "this is no database\n", count: 100)
        let directory = try TemporaryDirectory(prefix: "pinhole-e2e")
        try directory.write(garbage, to: "capture.sqlite")
        var invocation = try Stage.invocation(Stage.Setup(), in: directory)
        let index = try #require(invocation.arguments.firstIndex(of: "--upstream-ca"))
        invocation.arguments.removeSubrange(index...(index + 1))
        let result = try await ProcessRunner.run(invocation)
        #expect(result.exit == .code(3), "\(result)")
        #expect(result.errorText.contains("capture.sqlite"))
        #expect(try directory.read("capture.sqlite") == Array(garbage.utf8))
    }

    @Test(
        "listening beyond this machine with neither authentication nor a list of clients",
        arguments: ["0.0.0.0:0", "[::]:0"]
    )
    func open(address: String) async throws {
        var setup = Stage.Setup()
        setup.arguments = ["--listen", address]
        setup.replacesListen = true
        let result = try await Self.run(setup)
        #expect(result.exit == .code(3), "\(result)")
        #expect(result.errorText.contains("--proxy-auth"), "\(result)")
        #expect(result.errorText.contains("--allow"), "\(result)")
    }

    @Test("a second proxy on one capture refuses to start with the reason")
    func captureInUse() async throws {
        try await Stage.run { stage in
            let invocation = try Stage.invocation(Stage.Setup(), in: stage.directory)
            let result = try await ProcessRunner.run(invocation)
            #expect(result.exit == .code(3), "\(result)")
            #expect(result.errorText.contains("capture.sqlite"), "\(result)")
            try await stage.expectAlive()
            await stage.stop()
        }
    }
}

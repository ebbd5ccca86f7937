import Foundation
import PinholeModel
import PinholeRuntime
import PinholeStore
import PinholeTestKit
import Testing

/// `pinhole replay` with what a real proxy captured, before the same servers and others.
@Suite("Replay", .serialized)
struct ReplayTests {
    /// A line of `--json`.
    private struct Line: Decodable {
        struct Answer: Decodable {
            let status: Int
            let bytes: Int
        }
        let type: String
        var method: String?
        var url: String?
        var recorded: Answer?
        var answer: Answer?
        var isSameStatus: Bool?
        var differences: [String]?
        var failure: String?
        var refusal: String?
        var requests: Int?
        var sameStatus: Int?
        var failed: Int?
    }

    private static func replay(_ words: [String], _ stage: Stage) async throws -> (ProcessResult, [Line]) {
        let binary = try #require(Executable.pinhole)
        let result = try await ProcessRunner.run(
            Invocation(
                binary,
                [
                    "replay", "--json", "--capture", stage.capturePath, "--anchors-only", "servers.pem",
                    "--resolve", "*:*:127.0.0.1",
                ] + words,
                environment: ["SSL_CERT_FILE": nil as String?],
                directory: stage.directory.path
            )
        )
        let lines = try result.text.split(separator: "\n").map {
            try JSONDecoder().decode(Line.self, from: Data($0.utf8))
        }
        return (result, lines)
    }

    /// Asks for some things, and ends the proxy.
    private static func record(_ stage: Stage) async throws {
        try await blocking {
            let client = try stage.tunnel()
            for request in [
                "GET /json HTTP/1.1\r\nHost: \(stage.authority)\r\n\r\n",
                "POST /echo?a=1 HTTP/1.1\r\nHost: \(stage.authority)\r\nX-Odd: 1\r\nContent-Length: 4\r\n\r\nping",
                "GET /status/404 HTTP/1.1\r\nHost: \(stage.authority)\r\n\r\n",
                "GET /gzip HTTP/1.1\r\nHost: \(stage.authority)\r\nAccept-Encoding: gzip\r\n\r\n",
            ] {
                try client.send(request)
                _ = try client.readResponse()
            }
        }
        await stage.stop()
    }

    @Test("the same requests get the same answers, one after the other or many at one time")
    func same() async throws {
        try await Stage.run { stage in
            try await Self.record(stage)
            let (result, lines) = try await Self.replay(["--filter", "all", "--expect-same"], stage)
            #expect(result.isSuccess, "\(result)")
            #expect(lines.count == 5)
            #expect(lines.dropLast().map(\.answer?.status) == [200, 200, 404, 200])
            #expect(lines.dropLast().allSatisfy { $0.differences == [] }, "\(result)")
            let (many, all) = try await Self.replay(
                ["--filter", "~m GET", "--times", "20", "--concurrency", "8", "--expect-same"],
                stage
            )
            #expect(many.isSuccess, "\(many)")
            #expect(all.last?.requests == 60 && all.last?.sameStatus == 60)
        }
    }

    @Test("edits and another server change the requests of a replay, and differences are printed")
    func edits() async throws {
        try await Stage.run { stage in
            try await Self.record(stage)
            let (result, lines) = try await Self.replay(
                [
                    "--filter", "path == /json", "--url-replace", "|/json|/status/503", "--expect-same",
                    "--to",
                    "http://127.0.0.1:\(stage.plainPort)",
                ],
                stage
            )
            #expect(result.exit == .code(1), "\(result)")
            let line = try #require(lines.first)
            #expect(line.url == "http://127.0.0.1:\(stage.plainPort)/status/503")
            #expect(line.isSameStatus == false && line.recorded?.status == 200)
            #expect(line.differences?.first == "status 200, now 503")
            let (plain, _) = try await Self.replay(["--filter", "path == /json"], stage)
            #expect(plain.isSuccess)
        }
    }

    @Test("if one server is down, only its request fails")
    func gone() async throws {
        try await Stage.run { stage in
            try await Self.record(stage)
            let gone = try RawServer.refusing()
            defer { withExtendedLifetime(gone) {} }
            let (result, lines) = try await Self.replay(
                ["--filter", "~m GET", "--url-replace", "|:\\d+/status|:\(gone.port)/status|"],
                stage
            )
            #expect(result.exit == .code(1), "\(result)")
            #expect(lines.last?.failed == 1 && lines.last?.sameStatus == 2)
            #expect(lines.contains { $0.failure?.contains("Connection refused") == true }, "\(result)")
            #expect(!result.text.contains("NSURLErrorDomain"), "\(result)")
        }
    }

    @Test("a body that was captured in part is not sent unless asked for")
    func incomplete() async throws {
        var setup = Stage.Setup()
        setup.configuration = #"{"capture": {"bodyLimitBytes": 2}}"#
        try await Stage.run(setup) { stage in
            try await Self.record(stage)
            let (result, lines) = try await Self.replay(["--filter", "~m POST"], stage)
            #expect(result.exit == .code(1), "\(result)")
            #expect(lines.first?.refusal?.hasPrefix("2 of 4 bytes of its body were captured") == true)
            let (asked, sent) = try await Self.replay(["--filter", "~m POST", "--incomplete"], stage)
            #expect(asked.isSuccess && sent.first?.answer?.status == 200, "\(asked)")
        }
    }

    @Test("arguments are numbers of exchanges or last, and an unknown number ends the command")
    func numbers() async throws {
        try await Stage.run { stage in
            try await Self.record(stage)
            let (result, lines) = try await Self.replay(["2"], stage)
            #expect(result.isSuccess && lines.first?.url?.hasSuffix("/json") == true, "\(result)")
            let (newest, answers) = try await Self.replay(["last"], stage)
            #expect(newest.isSuccess && answers.first?.answer != nil, "\(newest)")
            let binary = try #require(Executable.pinhole)
            let words = ["flows", "diff", "last", "last", "--json", "--capture", stage.capturePath]
            let same = try await ProcessRunner.run(Invocation(binary, words, directory: stage.directory.path))
            #expect(same.isSuccess && same.text.contains("\"same\":1"), "\(same)")
            let (none, _) = try await Self.replay(["999"], stage)
            #expect(none.exit == .code(1) && none.errorText.contains("there is no exchange 999"))
        }
    }
}

import Foundation
import PinholeTestKit
import Testing

/// Agents that read a capture with the official client of the Model Context Protocol.
@Suite("Agents", .serialized, .enabled(if: Executable.testPython != nil, "make test prepares the packages"))
struct AgentTests {
    private static let secret = "correct-horse-battery"

    /// Records a request with a secret, an answer, and a client that does not trust the CA.
    private static func makeTraffic(_ stage: Stage) async throws {
        try await blocking {
            for path in ["/echo?password=\(secret)", "/json?a=\(secret)"] { _ = try stage.get(path) }
        }
        let distrustful = try await ProcessRunner.run(
            Invocation(
                "curl",
                ["-s", "-x", "http://127.0.0.1:\(stage.port)", "https://\(stage.authority)/"],
                directory: stage.directory.path
            )
        )
        #expect(distrustful.exit == .code(60))
    }

    private static func run(_ words: [String], _ stage: Stage) async throws -> String {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Clients")
        let result = try await ProcessRunner.run(
            Invocation(
                try #require(Executable.testPython),
                [folder.appendingPathComponent("agent.py").path] + words,
                environment: ["PYTHONDONTWRITEBYTECODE": "1", "HOME": stage.directory.path],
                directory: stage.directory.path
            )
        )
        try #require(result.isSuccess, "\(result)")
        return result.text
    }

    private static let policy = """
        <network-security-config><domain-config><domain>shop.test</domain><pin-set>
        <pin digest="SHA-256">7HIpactkIAq2Y49orFOOQKurWxmmSFZhBCoQYcRhJ3Y=</pin>
        <pin digest="SHA-256">fwza0LRMXouZHRC8Ei+4PyuldPDcf3UKgO/04cDM1oE=</pin>
        </pin-set></domain-config></network-security-config>
        """

    @Test("over standard input and output, an agent reads, runs the lab, and sees no secret")
    func stdio() async throws {
        try await Stage.run { stage in
            try await Self.makeTraffic(stage)
            await stage.stop()
            let policy = try stage.directory.write(Self.policy, to: "policy.xml")
            let pinhole = try #require(Executable.pinhole)
            let tools = try await Self.run(["stdio", pinhole, stage.capturePath, policy], stage)
            #expect(
                tools
                    == "list_exchanges read_exchange explain_connection find_leaks run_lab audit_command "
                    + "note_exchange replay_exchange\n"
            )
        }
    }

    @Test("at the console of a running proxy, an agent reads with its token, and without it is refused")
    func http() async throws {
        try await Stage.run { stage in
            try await Self.makeTraffic(stage)
            let console = try await RunningConsole(of: stage)
            _ = try await blocking { try console.item("failed & path == nothing | failed") }
            let url = "http://127.0.0.1:\(console.port)/api/mcp"
            let tools = try await Self.run(["http", url, console.token], stage)
            #expect(tools == "list_exchanges read_exchange explain_connection find_leaks\n")
            let refused = try await ProcessRunner.run(
                Invocation("curl", ["-s", "-o", "/dev/null", "-w", "%{http_code}", "-d", "{}", url])
            )
            #expect(refused.text == "401")
        }
    }
}

import Testing

@testable import PinholeConsole

/// Agents at the console, by the Model Context Protocol over HTTP.
@Suite("Agents at the console")
struct AgentTransportTests {
    private static let ping = #"{"jsonrpc": "2.0", "id": 1, "method": "ping"}"#

    private static func ask(_ body: String, _ revisions: String...) async throws -> ConsoleStage.Reply {
        try await ConsoleStage().ask(
            "POST",
            "/api/mcp",
            body,
            fields: revisions.map { ("MCP-Protocol-Version", $0) }
        )
    }

    @Test("an unknown or repeated protocol revision is refused; a known one is used")
    func revision() async throws {
        for revision in AgentServer.Revision.allCases {
            #expect(try await Self.ask(Self.ping, revision.rawValue).status == 200)
        }
        #expect(try await Self.ask(Self.ping, "1999-01-01").status == 400)
        #expect(try await Self.ask(Self.ping, "").status == 400)
        #expect(try await Self.ask(Self.ping, "2025-06-18", "2025-11-25").status == 400)
    }

    @Test("a request without a revision is one of 2025-03-26, which has arrays of messages")
    func unnamed() async throws {
        let many = "[\(Self.ping), \(Self.ping)]"
        #expect(try await Self.ask(many).text.hasPrefix("["))
        #expect(try await Self.ask(many, "2025-11-25").text.contains("-32600"))
        #expect(
            try await Self.ask(#"{"jsonrpc": "2.0", "method": "notifications/initialized"}"#).status == 202
        )
    }
}

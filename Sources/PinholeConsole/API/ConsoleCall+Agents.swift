import PinholeModel
import PinholeSession
import PinholeWire

/// Requests of agents by the Model Context Protocol (streamable HTTP, each answer at once).
extension ConsoleCall {
    func agent() async throws -> ConsoleAnswer {
        let session = AgentSession(api.agents, try revision())
        guard let answer = await session.take(request.body)() else { return ConsoleAnswer(202) }
        return ConsoleAnswer(200, fields: [("Content-Type", "application/json")], body: .bytes(answer))
    }

    /// Returns the revision that the request names (revision 2025-06-18, “Protocol Version Header”).
    private func revision() throws(Problem) -> AgentServer.Revision {
        let named = request.head.fields.all("mcp-protocol-version")
        guard let first = named.first else { return .unnamed }
        guard named.count == 1, let revision = AgentServer.Revision(rawValue: first) else {
            let known = AgentServer.Revision.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem(400, "unknown revision", "MCP-Protocol-Version: expected one of \(known)")
        }
        return revision
    }
}

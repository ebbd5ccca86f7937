import PinholeModel

/// Requests of agents by the Model Context Protocol (streamable HTTP, each answer at once).
extension ConsoleCall {
    func agent() async throws -> ConsoleAnswer {
        guard let answer = await api.agents.answer(request.body) else { return ConsoleAnswer(202) }
        return ConsoleAnswer(200, fields: [("Content-Type", "application/json")], body: .bytes(answer))
    }
}

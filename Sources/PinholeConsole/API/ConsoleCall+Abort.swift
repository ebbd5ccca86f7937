import PinholeModel
import PinholeSession
import PinholeStore

/// Requests that end a running exchange or relay.
extension ConsoleCall {
    /// The state of an exchange or flow in the capture.
    private enum Standing: Sendable {
        case missing
        case running
        case over(String)
    }

    func abort() async throws -> ConsoleAnswer {
        let id = try id()
        guard try await !control().abort(id) else { return ConsoleAnswer(204) }
        switch try await standing(of: id) {
        case .missing: throw Problem.missing(id)
        case .over(let outcome): throw Problem(409, "over", "\(id) is over: \(outcome)")
        case .running:
            throw Problem(
                409,
                "not here",
                "\(id) has no end in the capture, but does not go on in this proxy: one ended before it did"
            )
        }
    }

    private func standing(of id: Int64) async throws -> Standing {
        try await api.readers.ask { reader in
            if let exchange = try reader.exchange(ExchangeID(rawValue: id)) {
                return exchange.outcome.map { .over($0.kind.rawValue) } ?? .running
            }
            guard let flow = try reader.flow(FlowID(rawValue: id)) else { return .missing }
            return flow.outcome.map { .over($0.kind.rawValue) } ?? .running
        }
    }
}

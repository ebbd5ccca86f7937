import PinholeModel
import PinholeSession

/// Programs that join the proxy: `pinhole run` beside `pinhole proxy`.
extension ConsoleCall {
    func beginRun() async throws -> ConsoleAnswer {
        let control = try control()
        let order = try order(RunOrder.self)
        guard order.process > 0 else {
            throw Problem.bad("process", expected: "the number of a process", instead: "\(order.process)")
        }
        return .json(
            try await control.beginRun(of: order.process, isContainer: order.isContainer ?? false),
            status: 201
        )
    }

    func endRun() async throws -> ConsoleAnswer {
        let id = try id()
        guard let outcome = try await control().endRun(id) else { throw Problem.missing(id) }
        return .json(outcome)
    }
}

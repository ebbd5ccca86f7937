import PinholeModel
import PinholeSession

/// Programs that join the proxy: `pinhole run` beside `pinhole proxy`.
extension ConsoleCall {
    func beginRun() async throws -> ConsoleAnswer {
        let control = try control()
        let members = try object()
        guard case .integer(let process)? = members["process"], process > 0 else {
            throw Problem.bad("process", expected: "the number of a process", instead: "none")
        }
        let isContainer = try members["isContainer"].map { value throws(Problem) in
            guard case .boolean(let flag) = value else {
                throw Problem.bad("isContainer", expected: "true or false", found: value)
            }
            return flag
        }
        return .json(
            try await control.beginRun(of: process, isContainer: isContainer ?? false),
            status: 201
        )
    }

    func endRun() async throws -> ConsoleAnswer {
        let id = try id()
        guard let outcome = try await control().endRun(id) else { throw missing(id) }
        return .json(outcome)
    }
}

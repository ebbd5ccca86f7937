/// The actions on the programs that join a proxy.
package protocol RunControl: Sendable {
    /// Opens a listener for the program that a process runs, which may be in a container.
    func beginRun(of process: Int64, isContainer: Bool) async throws(Problem) -> RunPlace

    /// Closes the listener of a program, and returns the program's traffic; `nil` if there is no such run.
    func endRun(_ id: Int64) async throws(Problem) -> RunOutcome?
}

extension SessionControl {
    func beginRun(of process: Int64, isContainer: Bool) async throws(Problem) -> RunPlace {
        try await runs.begin(process, isContainer: isContainer)
    }

    func endRun(_ id: Int64) async -> RunOutcome? { await runs.end(id) }
}

extension RemoteControl {
    func beginRun(of process: Int64, isContainer: Bool) async throws(Problem) -> RunPlace {
        try await api.answer("POST", "/api/runs", RunOrder(process: process, isContainer: isContainer))
    }

    func endRun(_ id: Int64) async throws(Problem) -> RunOutcome? {
        try await api.unlessMissing { () throws(Problem) in try await api.answer("DELETE", "/api/runs/\(id)")
        }
    }
}

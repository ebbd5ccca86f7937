import PinholeConsole
import PinholeSession

extension ControlAPI {
    /// Returns the state of the proxy and its capture.
    func state() async throws(Problem) -> ConsoleState { try await answer("GET", "/api/state") }
}

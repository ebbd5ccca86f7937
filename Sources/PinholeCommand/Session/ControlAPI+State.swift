import PinholeConsole
import PinholeFilter
import PinholeSession

extension ControlAPI {
    /// Returns the state of the proxy and its capture.
    func state() async throws(Problem) -> ConsoleState { try await answer("GET", "/api/state") }

    /// Returns the filters that are saved under names.
    func savedFilters() async throws(Problem) -> SavedFilters {
        try await answer("GET", "/api/filters", as: FilterListing.self).saved
    }

    /// Sends a recorded request again, and returns when its answer has come.
    func send(_ request: RepeatedRequest) async throws(Problem) {
        try await ask("POST", "/api/send", request)
    }
}

import PinholeSession

/// The ways in which clients connect with the proxy.
extension ConsoleCall {
    func connect() async throws -> ConsoleAnswer { .json(try await control().connect()) }
}

/// Lets matrices run one after the other: each takes every core, and tests beside them have deadlines.
actor MatrixTurn {
    static let shared = MatrixTurn()

    private var last: Task<Void, Never>?

    func run<Report: Sendable>(
        _ matrix: @escaping @Sendable () async throws -> Report
    ) async throws -> Report {
        let before = last
        let own = Task {
            await before?.value
            return try await matrix()
        }
        last = Task { _ = await own.result }
        return try await own.value
    }
}

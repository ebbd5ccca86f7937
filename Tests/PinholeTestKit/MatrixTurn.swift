/// Lets matrices run one after the other: each takes every core, and tests beside them have deadlines.
package actor MatrixTurn {
    /// The turn of all matrices of a test run.
    package static let shared = MatrixTurn()

    private var last: Task<Void, Never>?

    /// Runs a matrix after all matrices that were asked for before.
    ///
    /// - Parameter matrix: The matrix.
    /// - Returns: Its report.
    /// - Throws: The error of the matrix.
    package func run<Report: Sendable>(
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

/// Runs a program to its end.
package enum ProcessRunner {
    /// Runs `invocation`; when time is up, its whole process group is killed.
    ///
    /// - Parameters:
    ///   - invocation: What to run.
    ///   - limit: How long it may take.
    /// - Returns: How it ended and what it wrote.
    /// - Throws: ``ProcessFailure`` when it could not be started.
    package static func run(
        _ invocation: Invocation,
        within limit: Duration = Patience.limit
    ) async throws -> ProcessResult {
        try await SpawnedProcess.run(invocation) { await $0.result(within: limit) }
    }
}

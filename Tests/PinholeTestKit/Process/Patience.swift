import Foundation
package import Testing

/// The time after which a test gives up waiting.
///
/// A wait ends as soon as its event comes, so a long limit costs nothing where all goes well. Other programs may take
/// most of a machine that runs tests for a minute or more, so a short limit fails tests that are right. This is the
/// only limit that guards against hanging. Programs in other languages find their share in the variable ``variable``.
package enum Patience {
    /// The limit on an idle machine, in seconds.
    package static let idleSeconds = 900

    /// The limit, in seconds, for programs that take it as a number.
    package static let seconds = seconds(underLoad: loadPerCore)

    /// The environment variable that every ``Invocation`` sets to ``programSeconds``.
    package static let variable = "PINHOLE_TEST_PATIENCE"

    /// The limit of the waits in a program that a test runs.
    ///
    /// The program gives up before the test does, so that it can say what it waited for.
    package static var programSeconds: Int { seconds / 3 }

    /// The limit.
    package static let limit = Duration.seconds(seconds)

    /// The limit on a machine where `load` processes share each core.
    ///
    /// It is at most three times as long as on an idle machine, so that a test that hangs ends within an hour.
    package static func seconds(underLoad load: Double) -> Int {
        Int(Double(idleSeconds) * min(max(load, 1), 3))
    }

    /// The processes that wanted to run in the last minute, by the number of cores.
    private static var loadPerCore: Double {
        var average = 0.0
        guard getloadavg(&average, 1) == 1 else { return 1 }
        return average / Double(ProcessInfo.processInfo.activeProcessorCount)
    }

    /// Asks until there is an answer, on a thread that may be blocked.
    ///
    /// - Returns: The answer; `nil` if there is none within ``limit``.
    package static func pollBlocking<Answer>(_ ask: () throws -> Answer?) rethrows -> Answer? {
        let deadline = ContinuousClock.now + limit
        while true {
            // A busy machine may return to this thread after the deadline alone, so the clock is read last.
            if let answer = try ask() { return answer }
            guard ContinuousClock.now < deadline else { return nil }
            Thread.sleep(forTimeInterval: 0.02)
        }
    }

    /// Asks until there is an answer, in a task.
    ///
    /// - Returns: The answer; `nil` if there is none within ``limit``.
    package static func poll<Answer>(
        isolation: isolated (any Actor)? = #isolation,
        _ ask: () async throws -> Answer?
    ) async throws -> Answer? {
        let deadline = ContinuousClock.now + limit
        while true {
            if let answer = try await ask() { return answer }
            guard ContinuousClock.now < deadline else { return nil }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// Waits until a condition holds.
    ///
    /// - Returns: Whether it holds within ``limit``.
    package static func wait(
        isolation: isolated (any Actor)? = #isolation,
        until condition: () throws -> Bool
    ) async throws -> Bool {
        try await poll { try condition() ? true : nil } ?? false
    }

    /// Waits for the cancellation of the task, as work does that never comes to its end.
    ///
    /// - Throws: `CancellationError`.
    package static func untilCancelled() async throws {
        try await Task.sleep(for: .seconds(1 << 30))
    }
}

extension Trait where Self == TimeLimitTrait {
    /// The time limit for tests that would hang, or take hours, if what they test were wrong.
    package static var patience: Self { .timeLimit(.minutes(Patience.seconds / 60)) }
}

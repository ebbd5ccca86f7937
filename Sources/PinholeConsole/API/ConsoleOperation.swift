import PinholeModel
package import PinholeRuntime
import PinholeSession
package import PinholeStore

/// The operation of one method at a path, with the query parameters that it accepts.
package struct ConsoleOperation: Sendable {
    /// The function that answers a request, and the place where it runs.
    package enum Work: Sendable {
        /// Runs immediately on the event loop, and reads no file.
        case now(@Sendable (ConsoleCall) throws -> ConsoleAnswer)
        /// Runs asynchronously, away from the event loop; it computes little, and reads no file that a user may replace.
        case later(@Sendable (ConsoleCall) async throws -> ConsoleAnswer)
        /// Runs on a thread of a budget for work on behalf of others, with its bounds.
        case working(Budget, @Sendable (ConsoleCall, WorkMeter) async throws -> ConsoleAnswer)
        /// Runs on a thread with a reader of the capture.
        case reading(@Sendable (ConsoleCall, CaptureReader) throws -> ConsoleAnswer)
        /// Runs on a thread with the editor of the capture.
        case editing(@Sendable (ConsoleCall, CaptureEditor) throws -> ConsoleAnswer)
    }

    /// A budget for work on behalf of others.
    package enum Budget: Sendable {
        /// Checks and experiments, which compute much or wait for programs that a user wrote.
        case checks
        /// Requests that read files which a user may replace, or wait for a login.
        case pages
    }

    /// The effect of the operation, in a phrase.
    let summary: String
    /// Further sentences about the operation; `nil` for none.
    let details: String?
    /// The parameters of the query and of the head.
    let described: [ConsoleParameter]
    /// The body of the request; `nil` for none.
    let body: ConsoleContent?
    /// The answers of a request that succeeds.
    let answers: [ConsoleContent]
    /// The statuses of the problems beyond those that each operation may have.
    let problems: [Int]
    /// The function that answers a request.
    let work: Work

    /// Creates an operation.
    package init(
        _ summary: String,
        details: String? = nil,
        _ parameters: ConsoleParameter...,
        body: ConsoleContent? = nil,
        answers: [ConsoleContent],
        problems: [Int] = [],
        work: Work
    ) {
        self.summary = summary
        self.details = details
        described = parameters
        self.body = body
        self.answers = answers
        self.problems = problems
        self.work = work
    }

    /// The parameters of the query that the operation accepts.
    var parameters: [String] { described.filter { $0.place == "query" }.map(\.name) }

    /// Returns the problem of a query with an unknown or repeated parameter; `nil` if all are known.
    ///
    /// A misspelled parameter would otherwise be ignored: without its filter, a request would select everything.
    func refusal(of query: [(name: String, value: String)]) -> Problem? {
        var seen: Set<String> = []
        for (name, _) in query {
            guard parameters.contains(name) else { return unknown(name) }
            guard seen.insert(name).inserted else {
                return .bad(name, expected: "one value", instead: "several")
            }
        }
        return nil
    }

    private func unknown(_ name: String) -> Problem {
        let known = parameters.isEmpty ? "no parameters" : parameters.joined(separator: ", ")
        var problem = Problem(400, "unknown parameter", "expected \(known), found “\(name.prefix(80))”")
        problem.suggestion = EditDistance.nearest(to: name, in: parameters)
        problem.remedy = problem.suggestion.map(Remedy.write)
        return problem
    }
}

import PinholeModel
import PinholeStore

/// What a method does at a path, and what it can be asked with.
struct ConsoleOperation: Sendable {
    /// How a request is answered.
    enum Work: Sendable {
        /// At once, on the event loop: without a file.
        case now(@Sendable (ConsoleCall) throws -> ConsoleAnswer)
        /// By somebody who takes time, elsewhere.
        case later(@Sendable (ConsoleCall) async throws -> ConsoleAnswer)
        /// By somebody who reads the capture.
        case reading(@Sendable (ConsoleCall, CaptureReader) throws -> ConsoleAnswer)
        /// By somebody who changes it.
        case editing(@Sendable (ConsoleCall, CaptureEditor) throws -> ConsoleAnswer)
    }

    /// How it is done.
    let work: Work
    /// The parameters of the query that it knows.
    let parameters: [String]

    /// What is answered at once.
    static func now(
        _ parameters: String...,
        work: @escaping @Sendable (ConsoleCall) throws -> ConsoleAnswer
    ) -> ConsoleOperation {
        ConsoleOperation(work: .now(work), parameters: parameters)
    }

    /// What takes time.
    static func later(
        _ parameters: String...,
        work: @escaping @Sendable (ConsoleCall) async throws -> ConsoleAnswer
    ) -> ConsoleOperation {
        ConsoleOperation(work: .later(work), parameters: parameters)
    }

    /// What reads the capture.
    static func reading(
        _ parameters: String...,
        work: @escaping @Sendable (ConsoleCall, CaptureReader) throws -> ConsoleAnswer
    ) -> ConsoleOperation {
        ConsoleOperation(work: .reading(work), parameters: parameters)
    }

    /// What changes the capture.
    static func editing(
        _ parameters: String...,
        work: @escaping @Sendable (ConsoleCall, CaptureEditor) throws -> ConsoleAnswer
    ) -> ConsoleOperation {
        ConsoleOperation(work: .editing(work), parameters: parameters)
    }

    /// Refuses a query that says what nobody would read; `nil` where all of it is known.
    ///
    /// A slip of the pen would otherwise ask for something else: for everything, where a filter was meant.
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

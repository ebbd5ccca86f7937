package import PinholeModel
package import PinholeStore

/// The reason why a request cannot be answered, as a problem document (RFC 9457).
package struct Problem: Error, Sendable, Equatable {
    /// The HTTP status.
    package var status: Int
    /// The kind of problem, in a few words.
    package var title: String
    /// The explanation: usually what was expected, and what was found.
    package var detail: String
    /// Advice for the user; `nil` if there is none.
    package var remedy: String?
    /// The position of the fault in a text, counted from 1.
    package var column: Int?
    /// A text that the user may have meant.
    package var suggestion: String?
    /// The index of the list's element with the fault, from 0.
    package var index: Int?
    /// The allowed methods, for status 405.
    package var allowed: [String] = []

    /// Creates a problem.
    package init(_ status: Int, _ title: String, _ detail: String, remedy: String? = nil) {
        self.status = status
        self.title = title
        self.detail = detail
        self.remedy = remedy
    }

    /// Returns the problem of an invalid text.
    package static func bad(_ name: String, expected: String, found text: String) -> Problem {
        bad(name, expected: expected, instead: TerminalText.quoted(text))
    }

    /// Returns the problem of an invalid value in a document.
    package static func bad(_ name: String, expected: String, found value: JSONValue) -> Problem {
        guard case .string(let text) = value else {
            return bad(name, expected: expected, instead: value.summary)
        }
        return bad(name, expected: expected, found: text)
    }

    /// Returns the problem of an invalid value, which `instead` describes.
    package static func bad(_ name: String, expected: String, instead: String) -> Problem {
        Problem(400, "bad value", "\(name): expected \(expected), found \(instead)")
    }

    /// The problem of a request that needs a proxy, at a console that only shows a file.
    package static let noProxy = Problem(409, "no proxy", "this console shows a file, and no proxy runs here")

    /// The problem of a query that finds no free reader of the capture.
    package static let manyQuestions = Problem(
        503,
        "busy",
        "too many requests wait for the capture",
        remedy: "ask again"
    )

    /// Returns the problem of a number that no exchange or flow has.
    package static func missing(_ id: Int64) -> Problem {
        Problem(404, "not found", "nothing has the number \(id) (any more)")
    }

    /// Creates the problem of any error.
    package init(_ error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        // A search is cancelled only after its client has gone.
        case CaptureFailure.cancelled: self.init(499, "abandoned", "nobody waits for it")
        case let failure as CaptureFailure: self.init(500, "capture cannot be used", failure.description)
        default: self.init(500, "failed", "\(error)")
        }
    }

    /// The members of the problem document.
    package struct Document: Sendable, Codable, DescribedMembers {
        /// The members whose meaning the description of the API tells.
        package static let described: [FieldJSON] = [
            FieldJSON("index", "The index of the element with the fault, from 0.")
        ]

        let title: String
        let status: Int
        let detail: String
        let remedy: String?
        let column: Int?
        let suggestion: String?
        let index: Int?

        /// Creates the document of a problem.
        package init(_ problem: Problem) {
            title = problem.title
            status = problem.status
            detail = problem.detail
            remedy = problem.remedy
            column = problem.column
            suggestion = problem.suggestion
            index = problem.index
        }

        /// The problem that the document describes.
        package var problem: Problem {
            var problem = Problem(status, title, detail, remedy: remedy)
            (problem.column, problem.suggestion, problem.index) = (column, suggestion, index)
            return problem
        }
    }
}

extension CaptureReaders {
    /// Runs a query on the thread of one of the readers, and returns its answer.
    ///
    /// - Parameter question: The query.
    /// - Returns: The answer.
    /// - Throws: ``Problem`` if the query fails, or too many are waiting.
    package func ask<Value: Sendable>(
        _ question: @escaping @Sendable (CaptureReader) throws -> Value
    ) async throws(Problem) -> Value {
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<Value, any Error>, Never>) in
            let isAsked = perform { reader in continuation.resume(returning: Result { try question(reader) })
            }
            if !isAsked {
                continuation.resume(returning: .failure(Problem.manyQuestions))
            }
        }
        do {
            return try result.get()
        } catch {
            throw Problem(error)
        }
    }
}

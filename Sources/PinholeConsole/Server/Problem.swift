import PinholeModel

/// Why a request cannot be answered, as a problem document (RFC 9457).
package struct Problem: Error, Sendable, Equatable {
    /// The status.
    package var status: Int
    /// What kind of problem it is, in a few words.
    package var title: String
    /// What was expected, and what came.
    package var detail: String
    /// What to do.
    package var remedy: String?
    /// Where in a text it is, counted from 1.
    package var column: Int?
    /// What may have been meant.
    package var suggestion: String?
    /// Which of several things it is about, from 0.
    package var index: Int?
    /// The methods that are allowed, for 405.
    package var allowed: [String] = []

    /// Creates a problem.
    package init(_ status: Int, _ title: String, _ detail: String, remedy: String? = nil) {
        self.status = status
        self.title = title
        self.detail = detail
        self.remedy = remedy
    }

    /// A text that cannot be used.
    static func bad(_ name: String, expected: String, found text: String) -> Problem {
        bad(name, expected: expected, instead: TerminalText.quoted(text))
    }

    /// A value of a document that cannot be used.
    static func bad(_ name: String, expected: String, found value: JSONValue) -> Problem {
        guard case .string(let text) = value else {
            return bad(name, expected: expected, instead: value.summary)
        }
        return bad(name, expected: expected, found: text)
    }

    /// A value that cannot be used; `instead` says what it is, in words of our own.
    static func bad(_ name: String, expected: String, instead: String) -> Problem {
        Problem(400, "bad value", "\(name): expected \(expected), found \(instead)")
    }

    /// There is nothing to be asked, or changed, where no proxy runs.
    static let noProxy = Problem(409, "no proxy", "this console shows a file, and no proxy runs here")

    /// The answer.
    var answer: ConsoleAnswer {
        var answer = ConsoleAnswer.json(Document(self), status: status)
        answer.fields = [("Content-Type", "application/problem+json")]
        if !allowed.isEmpty { answer.fields.append(("Allow", allowed.joined(separator: ", "))) }
        return answer
    }

    /// What stands in the document.
    struct Document: Encodable {
        let title: String
        let status: Int
        let detail: String
        let remedy: String?
        let column: Int?
        let suggestion: String?
        let index: Int?

        init(_ problem: Problem) {
            title = problem.title
            status = problem.status
            detail = problem.detail
            remedy = problem.remedy
            column = problem.column
            suggestion = problem.suggestion
            index = problem.index
        }
    }
}

import PinholeModel

/// An answer of the control API.
enum TopAnswer: Equatable, Sendable {
    /// The body, and the fields of the head by their names in lower case.
    case content([UInt8], fields: [String: String])
    /// The reason why there is no such answer.
    case problem(TopProblem)

    /// The body as JSON; `nil` if it is none.
    var json: JSONValue? {
        guard case .content(let bytes, _) = self else { return nil }
        return try? JSONValue(parsing: bytes)
    }

    /// The problem; `nil` if there is none.
    var problem: TopProblem? { if case .problem(let problem) = self { problem } else { nil } }
}

/// The reason why the console has not answered as asked.
struct TopProblem: Error, Equatable, Sendable {
    /// The explanation for the user.
    let detail: String
    /// The place of the fault in a text, counted from 1; `nil` if there is none.
    var column: Int?

    init(_ detail: String, column: Int? = nil) {
        self.detail = detail
        self.column = column
    }

    /// Reads a problem document, RFC 9457.
    init(status: Int, _ document: JSONValue?) {
        let detail = document?["detail"]?.text ?? "the console answered with status \(status)"
        let remedy = document?["remedy"]?.text.map { "; \($0)" } ?? ""
        self.init(detail + remedy, column: document?["column"]?.integer.map(Int.init(clamping:)))
    }
}

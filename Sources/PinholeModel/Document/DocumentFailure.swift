/// Why a document (a configuration, a policy) cannot be used: where, what was expected, what came, what to do.
package struct DocumentFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file; empty where it is not known.
    package var file = ""
    /// The path of the key, such as `tls.client.minimum`; empty for the whole file.
    package let path: String
    /// What was expected.
    package let expected: String
    /// What came.
    package let found: String
    /// What to do; empty where that follows from the rest.
    package let remedy: String
    /// What is wrong in its own words; `nil` where the rest says it.
    private let problem: String?

    /// Creates a failure.
    package init(path: String, expected: String, found: String, remedy: String = "") {
        self.path = path
        self.expected = expected
        self.found = found
        self.remedy = remedy
        problem = nil
    }

    /// Creates a failure out of a sentence that says what was expected and what came.
    package init(path: String, problem: String) {
        self.path = path
        expected = ""
        found = ""
        remedy = ""
        self.problem = problem
    }

    /// One line.
    package var description: String {
        let place = [file, path].filter { !$0.isEmpty }.joined(separator: ": ")
        let problem = problem ?? "expected \(expected), found \(found)\(Remedy.clause(remedy))"
        return place.isEmpty ? problem : "\(place): \(problem)"
    }

    /// The same failure, found in `file`.
    package func inFile(_ file: String) -> DocumentFailure {
        var failure = self
        failure.file = file
        return failure
    }
}

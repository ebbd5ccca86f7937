/// The reason why a document (a configuration, a policy) cannot be used: the place, the expectation, the finding, and a
/// remedy.
package struct DocumentFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file; empty if it is not known.
    package var file = ""
    /// The path of the key, such as `tls.client.minimum`; empty for the whole file.
    package let path: String
    /// The expectation, for the message after “expected”.
    package let expected: String
    /// The finding, for the message after “found”.
    package let found: String
    /// The remedy; empty if it follows from the rest.
    package let remedy: String
    /// The whole problem as a sentence; `nil` if the expectation and the finding say it.
    private let problem: String?

    /// Creates a failure from an expectation and a finding.
    package init(path: String, expected: String, found: String, remedy: String = "") {
        self.path = path
        self.expected = expected
        self.found = found
        self.remedy = remedy
        problem = nil
    }

    /// Creates a failure from a sentence that contains the expectation and the finding.
    package init(path: String, problem: String) {
        self.path = path
        expected = ""
        found = ""
        remedy = ""
        self.problem = problem
    }

    /// Creates the failure of a text that is not JSON.
    init(_ fault: SyntaxFault, in text: [UInt8]) {
        guard !text.allSatisfy({ $0 <= 0x20 }) else {
            self.init(
                path: "",
                expected: "JSON (RFC 8259)",
                found: "nothing",
                remedy: "write {} for an object without members"
            )
            return
        }
        let place = TextPlace(Int(fault.offset), in: text)
        self.init(
            path: "",
            expected: "JSON (RFC 8259: no comments, no trailing commas)",
            found:
                "\(fault.found) in line \(place.line), column \(place.column), where \(fault.expected) should be"
        )
    }

    /// Creates the failure of a value in the place of a list.
    package static func noList(_ value: JSONValue, _ path: String) -> DocumentFailure {
        let remedy =
            switch value {
            case .string(let text) where text.count <= 60 && !text.contains("\"") && !text.contains("\\"):
                "put it in brackets: [\"\(text)\"]"
            case .string, .object, .integer, .number: "put it in brackets: […]"
            case .array, .boolean, .null: ""
            }
        return DocumentFailure(path: path, expected: "a list […]", found: value.summary, remedy: remedy)
    }

    /// The message, in one line.
    package var description: String {
        let place = [file, path].filter { !$0.isEmpty }.joined(separator: ": ")
        let problem = problem ?? "expected \(expected), found \(found)\(Remedy.clause(remedy))"
        return place.isEmpty ? problem : "\(place): \(problem)"
    }

    /// Returns the same failure with the name of its file.
    package func inFile(_ file: String) -> DocumentFailure {
        var failure = self
        failure.file = file
        return failure
    }
}

extension JSONValue {
    /// Returns the failure of a document that has this value where another one is expected.
    package func failure(at path: String, expected: String, remedy: String = "") -> DocumentFailure {
        DocumentFailure(path: path, expected: expected, found: summary, remedy: remedy)
    }
}

/// Why a held message cannot become what somebody wants.
package struct VerdictFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// What of it is wanted otherwise.
    package enum Part: Sendable, Equatable {
        /// The method.
        case method
        /// The path and query.
        case path
        /// The status.
        case status
        /// A field line, by its place.
        case field(Int)
        /// The content.
        case body
    }

    /// What of the message it is about.
    package let part: Part
    /// What was expected.
    package let expected: String
    /// What came.
    package let found: String

    /// Where that stands in a document, such as `fields[0]`.
    package var path: String {
        if case .field(let index) = part { "fields[\(index)]" } else { "\(part)" }
    }

    /// One line.
    package var description: String { "\(path): expected \(expected), found \(found)" }
}

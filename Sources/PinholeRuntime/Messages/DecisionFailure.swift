/// The reason why a decision about a held message is not possible.
package struct DecisionFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// The part of the message that a decision cannot change in this way.
    package enum Part: Sendable, Equatable {
        /// The method of a request.
        case method
        /// The path and query.
        case path
        /// The status code of a response.
        case status
        /// A field line, by its index.
        case field(Int)
        /// The content.
        case body
    }

    /// The part of the message.
    package let part: Part
    /// The expected value.
    package let expected: String
    /// The actual value.
    package let found: String

    /// The place of the part in a document, such as `fields[0]`.
    package var path: String {
        if case .field(let index) = part { "fields[\(index)]" } else { "\(part)" }
    }

    /// The failure in one line.
    package var description: String { "\(path): expected \(expected), found \(found)" }
}

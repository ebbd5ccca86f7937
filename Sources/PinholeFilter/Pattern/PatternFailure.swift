/// The reason why a text is not a regular expression that can be searched for.
package struct PatternFailure: Error, Equatable, Sendable {
    /// The place of the error, in scalars from the beginning of the expression.
    package let offset: Int
    /// The expectation, for the message after “expected”.
    package let expected: String
    /// The finding, for the message after “found”.
    package let found: String
    /// The remedy, for the end of the message; `nil` if there is none.
    package var remedy: String?
}

/// Why a text is no regular expression that can be searched for here.
package struct PatternFailure: Error, Equatable, Sendable {
    /// Where, in scalars from the beginning of the expression.
    package let offset: Int
    /// What was expected, after “expected”.
    package let expected: String
    /// What came, after “found”.
    package let found: String
    /// What to do.
    package var remedy: String?
}

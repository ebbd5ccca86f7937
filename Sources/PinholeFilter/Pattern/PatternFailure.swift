/// Why a text is no regular expression that can be searched for here.
struct PatternFailure: Error, Equatable {
    /// Where, in scalars from the beginning of the expression.
    let offset: Int
    /// What was expected, after “expected”.
    let expected: String
    /// What came, after “found”.
    let found: String
    /// What to do.
    var remedy: String?
}

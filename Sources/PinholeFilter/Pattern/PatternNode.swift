import PinholeModel

/// A node of a regular expression's syntax tree.
indirect enum PatternNode: Hashable, Sendable {
    /// A condition on a place between two bytes.
    enum Assertion: Hashable, Sendable {
        /// The beginning of the text.
        case textStart
        /// The end of the text.
        case textEnd
        /// The end of the text, or the place before a newline that is its last byte (`$`).
        case finalLineEnd
        /// The beginning of a line.
        case lineStart
        /// The end of a line.
        case lineEnd
        /// The beginning or the end of a word.
        case wordBoundary
        /// Any place at which no word begins or ends.
        case insideWord
    }

    /// The empty expression, which matches everywhere.
    case empty
    /// A byte of the set.
    case byte(ByteSet)
    /// The nodes, one after the other.
    case sequence([PatternNode])
    /// Any one of the nodes; the earlier ones are preferred.
    case choice([PatternNode])
    /// The node, repeated at least `least` and at most `most` times; `nil` means without an upper bound.
    case repeated(PatternNode, least: Int, most: Int?, isLazy: Bool = false)
    /// A group whose match is remembered under this number; made only for a ``Substitution``.
    case group(PatternNode, number: Int)
    /// The condition on the place, which takes no byte.
    case assertion(Assertion)
}

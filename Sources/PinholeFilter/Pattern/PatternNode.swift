/// A regular expression as its parts.
indirect enum PatternNode: Hashable, Sendable {
    /// Something that holds at a place between two bytes.
    enum Assertion: Hashable, Sendable {
        /// The text begins.
        case textStart
        /// The text ends.
        case textEnd
        /// The text ends, or its last byte, which is a newline, is all that follows (`$`).
        case finalLineEnd
        /// A line begins.
        case lineStart
        /// A line ends.
        case lineEnd
        /// A word begins or ends.
        case wordBoundary
        /// No word begins or ends.
        case insideWord
    }

    /// Nothing, which is everywhere.
    case empty
    /// One byte of a set.
    case byte(ByteSet)
    /// One after the other.
    case sequence([PatternNode])
    /// One of several.
    case choice([PatternNode])
    /// As often as `least` at least, and `most` at most.
    case repeated(PatternNode, least: Int, most: Int?, isLazy: Bool = false)
    /// A group whose match is remembered under this number; only where a ``Substitution`` asks for it.
    case group(PatternNode, number: Int)
    /// A place.
    case assertion(Assertion)
}

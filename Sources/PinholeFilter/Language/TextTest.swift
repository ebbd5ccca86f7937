/// A test of a text; the case of ASCII letters does not matter.
package enum TextTest: Hashable, Sendable {
    /// The text is equal to the given one.
    case equal(String)
    /// The text contains the given one.
    case contains(String)
    /// The text begins with the given one.
    case starts(String)
    /// The text ends with the given one.
    case ends(String)
    /// The whole text matches the glob, in which `*` is any run of characters.
    case glob(String)
    /// The expression matches somewhere in the text.
    case matches(Pattern)
}

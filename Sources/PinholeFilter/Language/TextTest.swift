/// What a text is to be like; letters of ASCII are the same in both cases.
package enum TextTest: Hashable, Sendable {
    /// This.
    case equal(String)
    /// It has this in it.
    case contains(String)
    /// It begins with this.
    case starts(String)
    /// It ends with this.
    case ends(String)
    /// As a whole like this, where `*` is any run of characters.
    case glob(String)
    /// The expression is found in it.
    case matches(Pattern)
}

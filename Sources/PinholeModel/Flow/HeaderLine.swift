/// A header of a message as text, which may be invalid.
package struct HeaderLine: Sendable, Equatable {
    /// The text before the colon.
    package let name: String
    /// The text after the colon.
    package let value: String

    /// Creates a header without judging it.
    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

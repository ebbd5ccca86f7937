/// The reason why there is no reply to a question about a message.
package struct MessageFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The reason as a clause, such as `it took longer than 5 s`.
    package let description: String

    /// Creates a failure.
    package init(_ description: String) { self.description = description }
}

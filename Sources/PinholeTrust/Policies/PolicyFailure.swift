/// Why a policy, or a notation in it, cannot be read: what was expected, what came, what to do.
package struct PolicyFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// One or two sentences.
    package let description: String

    /// Creates a failure.
    package init(_ description: String) { self.description = description }
}

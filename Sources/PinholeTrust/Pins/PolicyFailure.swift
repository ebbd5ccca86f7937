import PinholeModel

/// The reason why a policy, or a notation in it, cannot be read.
package struct PolicyFailure: DescribedFailure, Hashable, Sendable, CustomStringConvertible {
    /// The failure in one or two sentences: what was expected, what came, and what to do.
    package let description: String

    /// Creates a failure.
    package init(_ description: String) { self.description = description }
}

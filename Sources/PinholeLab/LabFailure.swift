import PinholeModel

/// The reason why the lab could not run something, in a sentence that says what to do.
public struct LabFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason in a sentence that says what to do, for users.
    public let description: String

    /// Creates a failure.
    public init(_ description: String) { self.description = description }
}

extension LabFailure: DescribedFailure {}

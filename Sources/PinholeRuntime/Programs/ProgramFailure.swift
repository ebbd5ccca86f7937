/// Why a program gave no answer.
package struct ProgramFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// One clause, such as `it took longer than 5 s`.
    package let description: String

    init(_ description: String) { self.description = description }
}

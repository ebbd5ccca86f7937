/// A failure that is a sentence for users.
package protocol DescribedFailure: Error {
    /// Creates a failure with its sentence.
    init(_ description: String)
}

extension DescribedFailure {
    /// Returns the value of `body`, and turns its error into a failure of this type.
    ///
    /// - Parameters:
    ///   - context: The text in front of the error and a colon; `nil` for none.
    ///   - body: The operation.
    /// - Returns: The value.
    /// - Throws: The failure with the description of the error.
    package static func wrapping<Value: ~Copyable>(
        _ context: @autoclosure () -> String? = nil,
        _ body: () throws -> Value
    ) throws(Self) -> Value {
        do {
            return try body()
        } catch {
            throw Self(context().map { "\($0): \(error)" } ?? "\(error)")
        }
    }
}

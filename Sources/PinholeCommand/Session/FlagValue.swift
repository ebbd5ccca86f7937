import ArgumentParser
import PinholeModel

/// Values of flags.
enum FlagValue {
    /// Turns the text of a flag into a value.
    ///
    /// - Parameters:
    ///   - text: What came.
    ///   - make: Parses it.
    /// - Returns: The value.
    /// - Throws: `ValidationError` that says what was expected.
    static func parse<Value>(
        _ text: String,
        _ make: (String) throws(AddressFailure) -> Value
    ) throws -> Value {
        do throws(AddressFailure) {
            return try make(text)
        } catch {
            throw ValidationError("expected \(error.expected), found “\(error.text)”")
        }
    }
}

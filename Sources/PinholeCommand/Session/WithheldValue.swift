import ArgumentParser
import PinholeModel
import PinholeSession

/// The value of a flag or an argument that Pinhole checks after all arguments were parsed.
///
/// ArgumentParser repeats a refused value, which may be a password. Besides, it checks a value before it looks for
/// unknown flags, so that `--methd PUT` would result in a message about `PUT`.
struct WithheldValue<Value> {
    private let result: Result<Value, any Error>

    /// Parses a value, and keeps the error if there is one.
    ///
    /// - Parameters:
    ///   - text: The text of the value.
    ///   - parse: Parses the text; its errors must not contain a secret.
    init(_ text: String, _ parse: (String) throws -> Value) {
        result = Result { try parse(text) }
    }

    /// The value; `nil` if it was refused, which ``check(_:)`` reports.
    var value: Value? { try? result.get() }

    /// Returns the value of an argument when the command runs, after unknown flags were reported.
    ///
    /// - Throws: ``CommandFailure`` with the expected notation.
    func required() throws(CommandFailure) -> Value {
        do {
            return try result.get()
        } catch {
            throw CommandFailure(.usage, "\(error)")
        }
    }

    /// Throws the error of a refused value.
    ///
    /// - Parameter flag: The flag of the value, such as `--proxy-auth`.
    /// - Returns: The value.
    /// - Throws: `ValidationError`.
    @discardableResult
    func check(_ flag: String) throws -> Value {
        do {
            return try result.get()
        } catch {
            throw ValidationError("\(flag): \(error)")
        }
    }
}

extension WithheldValue: Sendable where Value: Sendable {}

extension WithheldValue where Value == Configuration.Credentials {
    /// Reads `USER:PASSWORD` or `@FILE`.
    init(credentials text: String) {
        self.init(text) { text in
            do throws(AddressFailure) {
                return try Configuration.Credentials(text)
            } catch {
                throw ValidationError("expected \(error.expected)")
            }
        }
    }
}

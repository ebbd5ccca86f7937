import ArgumentParser
import PinholeModel

/// The value of a flag or an argument that is judged after everything was read, and by us.
///
/// The parser of arguments repeats what it refuses, and that may be a password. It also judges one value before it has
/// looked for unknown flags, so that `--methd PUT` is a complaint of `PUT`.
struct WithheldValue<Value> {
    private let result: Result<Value, any Error>

    /// Reads a value, and keeps what is wrong with it.
    ///
    /// - Parameters:
    ///   - text: What came.
    ///   - parse: Reads it; what it throws must not repeat a secret.
    init(_ text: String, _ parse: (String) throws -> Value) {
        result = Result { try parse(text) }
    }

    /// The value; `nil` where it was refused, which ``check(_:)`` says.
    var value: Value? { try? result.get() }

    /// The value of an argument, which is asked for when the command runs: by then no flag is unknown.
    ///
    /// - Throws: ``CommandFailure`` that says what was expected.
    func required() throws(CommandFailure) -> Value {
        do {
            return try result.get()
        } catch {
            throw CommandFailure(.usage, "\(error)")
        }
    }

    /// Says what is wrong with the value.
    ///
    /// - Parameter flag: What it was given to, such as `--proxy-auth`.
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

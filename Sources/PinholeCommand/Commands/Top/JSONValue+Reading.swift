import PinholeModel

/// The control API is of the same program, so a member of another type counts as a missing one.
extension JSONValue {
    /// A member of an object.
    subscript(_ name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[name]
    }

    /// The value as a text.
    var text: String? { if case .string(let text) = self { text } else { nil } }

    /// The value as a whole number.
    var integer: Int64? { if case .integer(let number) = self { number } else { nil } }

    /// The value as a number.
    var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: nil
        }
    }

    /// The value as a truth value; `false` if it is none.
    var isTrue: Bool { self == .boolean(true) }

    /// The elements of a list; none if it is none.
    var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }

    /// Milliseconds as a duration.
    var milliseconds: Duration? {
        number.flatMap { number in
            0...1e15 ~= number ? .microseconds(Int64(number * 1000)) : nil
        }
    }
}

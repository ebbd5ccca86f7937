import PinholeModel

// Values from other programs: a member that is missing or of another type reads as absent.
extension JSONValue {
    /// The member with a name; `nil` if this is not an object, or if the member is missing or null.
    subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self, let member = members[name], member != .null else {
            return nil
        }
        return member
    }

    /// The text, or the digits of a number; `nil` for other values.
    var text: String? {
        switch self {
        case .string(let text): text
        case .integer(let number): String(number)
        case .number(let number): Int64(exactly: number).map(String.init) ?? "\(number)"
        case .boolean, .null, .array, .object: nil
        }
    }

    /// The number, which may be in quotes; `nil` for other values.
    var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        case .string(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
        case .boolean, .null, .array, .object: nil
        }
    }

    /// The number, rounded to a whole one; `nil` if it does not fit.
    var integer: Int64? {
        if case .integer(let number) = self {
            number
        } else {
            number.flatMap { Int64(exactly: $0.rounded()) }
        }
    }

    /// Whether the value is `true`.
    var isTrue: Bool { self == .boolean(true) }

    /// The elements; empty if this is not a list.
    var elements: [JSONValue] {
        guard case .array(let elements) = self else { return [] }
        return elements
    }
}

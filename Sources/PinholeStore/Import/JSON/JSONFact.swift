import PinholeModel

/// A JSON value from another program; a member that is missing or of another type reads as absent.
enum JSONFact: Equatable {
    case null
    case truth(Bool)
    case number(Double)
    case text(String)
    case list([JSONFact])
    case object([String: JSONFact])

    /// The member with a name; `nil` if this is not an object, or if the member is missing or null.
    subscript(name: String) -> JSONFact? {
        guard case .object(let members) = self, let member = members[name], member != .null else {
            return nil
        }
        return member
    }

    /// The text, or the digits of a number; `nil` for other values.
    var text: String? {
        switch self {
        case .text(let text): text
        case .number(let number): Int64(exactly: number).map(String.init) ?? "\(number)"
        case .truth, .null, .list, .object: nil
        }
    }

    /// The number, which may be in quotes; `nil` for other values.
    var number: Double? {
        switch self {
        case .number(let number): number
        case .text(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
        case .truth, .null, .list, .object: nil
        }
    }

    /// The number, rounded to a whole one; `nil` if it does not fit.
    var integer: Int64? { number.flatMap { Int64(exactly: $0.rounded()) } }

    /// Whether the value is `true`.
    var isTrue: Bool { self == .truth(true) }

    /// The elements; empty if this is not a list.
    var elements: [JSONFact] {
        guard case .list(let elements) = self else { return [] }
        return elements
    }

    /// A short description of the value, for a message after “found”.
    var summary: String {
        switch self {
        case .null: "null"
        case .truth(let value): "\(value)"
        case .number: text ?? "a number"
        case .text(let text): TerminalText.quoted(text, longest: 60)
        case .list: "a list"
        case .object: "an object"
        }
    }
}

import PinholeModel

/// A JSON value of a file that another program wrote: what is missing or of another type is simply not there.
enum JSONFact: Equatable {
    case null
    case truth(Bool)
    case number(Double)
    case text(String)
    case list([JSONFact])
    case object([String: JSONFact])

    /// A member; `nil` where this is no object, or has none of this name, or null.
    subscript(name: String) -> JSONFact? {
        guard case .object(let members) = self, let member = members[name], member != .null else {
            return nil
        }
        return member
    }

    /// The text; of a number its digits.
    var text: String? {
        switch self {
        case .text(let text): text
        case .number(let number): Int64(exactly: number).map(String.init) ?? "\(number)"
        case .truth, .null, .list, .object: nil
        }
    }

    /// The number, also one in quotes.
    var number: Double? {
        switch self {
        case .number(let number): number
        case .text(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
        case .truth, .null, .list, .object: nil
        }
    }

    /// The number, where it is a whole one that fits.
    var integer: Int64? { number.flatMap { Int64(exactly: $0.rounded()) } }

    /// Whether it is `true`.
    var isTrue: Bool { self == .truth(true) }

    /// The elements; none where this is no list.
    var elements: [JSONFact] {
        guard case .list(let elements) = self else { return [] }
        return elements
    }

    /// What it is, for people who expected something else.
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

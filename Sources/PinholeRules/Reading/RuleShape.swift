import PinholeModel

/// The shape of a value in a rule: what a form offers for it.
package indirect enum RuleShape: Sendable, Equatable {
    /// `true` or `false`.
    case boolean
    /// A number in a range, with its unit.
    case number(ClosedRange<Double>, unit: String? = nil)
    /// A whole number in a range, or one of the words.
    case integer(ClosedRange<Int64>, words: [String] = [])
    /// A choice between whole numbers.
    case numbers([Int64])
    /// A choice between texts.
    case words([String])
    /// A string of JSON, with its use.
    case text(RuleText)
    /// A list of such values.
    case list(RuleShape)
    /// An object with these keys.
    case object([RuleKey])
    /// Any value of JSON.
    case any

    /// The range of a number with a unit, for tables; `nil` for all other values.
    var bounds: String? {
        guard case .number(let range, _?) = self else { return nil }
        return "\(Self.digits(range.lowerBound)) to \(Self.digits(range.upperBound))"
    }

    private static func digits(_ number: Double) -> String {
        number == number.rounded() ? "\(Int64(number))" : "\(number)"
    }
}

/// The use of a text in a rule.
package enum RuleText: String, Sendable, Equatable {
    /// A text of one line.
    case line
    /// A text that may have many lines.
    case content
    /// A filter (docs/FILTERS.md).
    case filter
    /// An expression (docs/FILTERS.md#expressions).
    case expression
    /// A credential, which nobody should read over a shoulder.
    case secret
    /// The name of a declared program.
    case program
}

/// The values that a key takes: their shape, and the reader that accepts them.
struct RuleValue<Value>: Sendable {
    /// Reads a value at a path of the document.
    typealias Reader = @Sendable (JSONValue, String) throws(DocumentFailure) -> Value

    let shape: RuleShape
    let read: Reader

    init(_ shape: RuleShape, _ read: @escaping Reader) {
        self.shape = shape
        self.read = read
    }
}

extension RuleValue {
    /// A list of such values.
    static func list<Element>(of element: RuleValue<Element>) -> Self where Value == [Element] {
        Self(.list(element.shape)) { (value, path) throws(DocumentFailure) in
            try DocumentValue.list(element.read)(value, path)
        }
    }

    /// A choice between the raw values of an enumeration.
    static func choice() -> Self
    where Value: RawRepresentable & CaseIterable & Sendable, Value.RawValue == String {
        Self(.words(Value.allCases.map(\.rawValue))) { (value, path) throws(DocumentFailure) in
            try DocumentValue.choice(Value.self)(value, path)
        }
    }
}

extension RuleValue where Value == Bool {
    /// `true` or `false`.
    static var boolean: Self { Self(.boolean, DocumentValue.boolean) }
}

extension RuleValue where Value == Int {
    /// A whole number in a range.
    static func integer(in range: ClosedRange<Int64>) -> Self {
        Self(.integer(range)) { (value, path) throws(DocumentFailure) in
            Int(try DocumentValue.integer(in: range)(value, path))
        }
    }
}

extension RuleValue where Value == Double {
    /// A number in a range of whole numbers.
    static func number(in range: ClosedRange<Int>, unit: String) -> Self {
        let bounds = Double(range.lowerBound)...Double(range.upperBound)
        return Self(.number(bounds, unit: unit)) { (value, path) throws(DocumentFailure) in
            guard let number = value.double, bounds.contains(number) else {
                throw value.failure(
                    at: path,
                    expected: "a number of \(range.lowerBound) to \(range.upperBound)"
                )
            }
            return number
        }
    }
}

extension RuleValue where Value == Duration {
    /// A number of seconds in a range.
    static func seconds(in range: ClosedRange<Double>) -> Self {
        Self(.number(range, unit: "seconds")) { (value, path) throws(DocumentFailure) in
            try DocumentValue.seconds(in: range)(value, path)
        }
    }
}

extension RuleValue where Value == String {
    /// A text that the reader accepts.
    static func text(_ use: RuleText, _ read: @escaping Reader = DocumentValue.string) -> Self {
        Self(.text(use), read)
    }

    /// A text of one line that is not empty.
    static var word: Self { text(.line, DocumentValue.word) }
    /// The beginning of a path.
    static var pathPrefix: Self { text(.line, DocumentValue.pathPrefix) }
}

extension RuleValue where Value == FieldLine {
    /// A field line, `Name: value`.
    static var fieldLine: Self { Self(.text(.line), DocumentValue.fieldLine) }
}

extension JSONValue {
    /// The number, whole or not; `nil` for all other values.
    fileprivate var double: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: nil
        }
    }
}

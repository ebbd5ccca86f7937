package import PinholeModel

/// A value of a property list.
package indirect enum PropertyListValue: Hashable, Sendable {
    /// Values by their keys.
    case dictionary([String: PropertyListValue])
    /// Values in their order.
    case array([PropertyListValue])
    /// A text.
    case string(String)
    /// A whole number.
    case integer(Int64)
    /// A number that is no integer.
    case real(Double)
    /// YES or NO (`<true/>` or `<false/>`).
    case boolean(Bool)
    /// A point in time.
    case date(Timestamp)
    /// Raw bytes, which XML writes in Base64.
    case data([UInt8])

    /// The kind of the value, for messages that expected another one.
    package var summary: String {
        switch self {
        case .dictionary: "a dictionary"
        case .array: "an array"
        case .string(let text): "the string “\(DocumentPath.cut(text))”"
        case .integer(let number): "the number \(number)"
        case .real(let number): "the number \(number)"
        case .boolean(let value): value ? "YES" : "NO"
        case .date(let date): "the date \(date.iso8601)"
        case .data(let bytes): "\(bytes.count) bytes of data"
        }
    }
}

extension PropertyListValue {
    /// Creates the value that a program which writes property lists makes of JSON; null becomes an empty text.
    init(_ value: JSONValue) {
        switch value {
        case .object(let members): self = .dictionary(members.mapValues { PropertyListValue($0) })
        case .array(let values): self = .array(values.map { PropertyListValue($0) })
        case .string(let text): self = .string(text)
        case .boolean(let value): self = .boolean(value)
        case .integer(let number): self = .integer(number)
        case .number(let number): self = .real(number)
        case .null: self = .string("")
        }
    }
}

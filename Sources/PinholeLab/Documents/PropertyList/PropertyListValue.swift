package import PinholeModel

/// A value of a property list.
package indirect enum PropertyListValue: Hashable, Sendable {
    /// A dictionary.
    case dictionary([String: PropertyListValue])
    /// An array.
    case array([PropertyListValue])
    /// A string.
    case string(String)
    /// A whole number.
    case integer(Int64)
    /// Another number.
    case real(Double)
    /// A Boolean.
    case boolean(Bool)
    /// A date.
    case date(Timestamp)
    /// Bytes.
    case data([UInt8])

    /// What it is, for people who expected something else.
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

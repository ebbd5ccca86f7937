/// A JSON value (RFC 8259) of which nothing is known yet.
package enum JSONValue: Hashable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case boolean(Bool)
    /// A number without fraction or exponent that fits.
    case integer(Int64)
    /// Any other number.
    case number(Double)
    /// A text.
    case string(String)
    /// A list.
    case array([JSONValue])
    /// An object; no name stands in it twice.
    case object([String: JSONValue])

    /// Parses a text; comments, trailing commas and names that stand twice in an object are refused.
    ///
    /// - Parameter text: The text in UTF-8.
    /// - Throws: ``DocumentFailure`` that says where it ceases to be JSON.
    package init(parsing text: [UInt8]) throws(DocumentFailure) {
        var reader = JSONReader(text)
        self = try reader.read()
    }

    /// Parses a text, and hands out one member of the outermost object as it is written.
    ///
    /// - Parameters:
    ///   - text: The text in UTF-8.
    ///   - name: The name of the member.
    /// - Returns: The value; and the text of the member, `nil` where there is none.
    /// - Throws: ``DocumentFailure`` as ``init(parsing:)`` does.
    package static func parse(
        _ text: [UInt8],
        quoting name: String
    ) throws(DocumentFailure) -> (value: JSONValue, quoted: ArraySlice<UInt8>?) {
        var reader = JSONReader(text, quoting: name)
        let value = try reader.read()
        return (value, reader.quoted.map { text[$0] })
    }

    /// One member of the outermost object of a text that need not be JSON to its end.
    ///
    /// - Parameters:
    ///   - name: The name of the member.
    ///   - text: The text in UTF-8.
    /// - Returns: The text of the member, where it stands before the first fault.
    package static func readable(_ name: String, of text: [UInt8]) -> ArraySlice<UInt8>? {
        var reader = JSONReader(text, quoting: name)
        _ = try? reader.read()
        return reader.quoted.map { text[$0] }
    }

    /// What it is, for people who expected something else.
    package var summary: String {
        switch self {
        case .null: "null"
        case .boolean(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .number(let value): "\(value)"
        case .string(let value): TerminalText.quoted(value, longest: 300)
        case .array: "a list"
        case .object: "an object"
        }
    }
}

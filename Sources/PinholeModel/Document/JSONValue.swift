/// A JSON value (RFC 8259) that is not yet converted to another type.
package enum JSONValue: Hashable, Sendable {
    /// The value `null`.
    case null
    /// `true` or `false`.
    case boolean(Bool)
    /// A number without fraction or exponent that fits in 64 bits.
    case integer(Int64)
    /// Any other number.
    case number(Double)
    /// A text without its quotes and escapes.
    case string(String)
    /// A list.
    case array([JSONValue])
    /// An object; its names are unique.
    case object([String: JSONValue])

    /// Parses a text; comments, trailing commas and duplicate names are refused.
    ///
    /// - Parameter text: The text in UTF-8.
    /// - Throws: ``DocumentFailure`` with the place of the first error.
    package init(parsing text: [UInt8]) throws(DocumentFailure) {
        do throws(SyntaxFault) {
            self = try JSONReader(text).read()
        } catch {
            throw DocumentFailure(error, in: text)
        }
    }

    /// Parses a text, and also returns one member of the outermost object as it is written.
    ///
    /// - Parameters:
    ///   - text: The text in UTF-8.
    ///   - name: The name of the member.
    ///   - literals: The names of other members that the caller reads as text later. Their numbers may have any size.
    /// - Returns: The value, and the text of the member, which is `nil` if there is none.
    /// - Throws: ``DocumentFailure`` as ``init(parsing:)`` does.
    package static func parse(
        _ text: [UInt8],
        quoting name: String,
        literals: Set<String> = []
    ) throws(DocumentFailure) -> (value: JSONValue, quoted: ArraySlice<UInt8>?) {
        let reader = JSONReader(text, quoting: name, literals: literals)
        do throws(SyntaxFault) {
            return (try reader.read(), reader.quoted.map { text[$0] })
        } catch {
            throw DocumentFailure(error, in: text)
        }
    }

    /// Returns a member of the outermost object of a text that may be invalid after that member.
    ///
    /// - Parameters:
    ///   - name: The name of the member.
    ///   - text: The text in UTF-8.
    ///   - literals: The names of other members whose numbers may have any size.
    /// - Returns: The text of the member; `nil` if there is none before the first error.
    package static func readable(
        _ name: String,
        of text: [UInt8],
        literals: Set<String> = []
    ) -> ArraySlice<UInt8>? {
        let reader = JSONReader(text, quoting: name, literals: literals)
        _ = try? reader.read()
        return reader.quoted.map { text[$0] }
    }

    /// A short description of the value, for a message after “found”.
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

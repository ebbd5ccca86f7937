import Foundation

/// A JSON value (RFC 8259) of which nothing is known yet.
enum JSONValue: Equatable, Sendable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// Parses a text; comments and trailing commas are no JSON.
    ///
    /// - Parameter text: The text.
    /// - Throws: ``ConfigurationFailure`` that says where it ceases to be JSON.
    init(parsing text: [UInt8]) throws(ConfigurationFailure) {
        do {
            self = try JSONDecoder().decode(JSONValue.self, from: Data(text))
        } catch {
            throw ConfigurationFailure(
                path: "",
                expected: "JSON (RFC 8259: no comments, no trailing commas)",
                found: Self.reason(of: error)
            )
        }
    }

    /// What it is, for people who expected something else.
    var summary: String {
        switch self {
        case .null: "null"
        case .boolean(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .number(let value): "\(value)"
        case .string(let value): "“\(value)”"
        case .array: "a list"
        case .object: "an object"
        }
    }

    private static func reason(of error: any Error) -> String {
        guard case DecodingError.dataCorrupted(let context) = error else { return "\(error)" }
        guard let cause = context.underlyingError as? NSError,
            let text = cause.userInfo[NSDebugDescriptionErrorKey] as? String
        else { return context.debugDescription }
        return text
    }
}

extension JSONValue: Decodable {
    private struct Name: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Decodes whatever comes.
    init(from decoder: any Decoder) throws {
        if let object = try? decoder.container(keyedBy: Name.self) {
            var members: [String: JSONValue] = [:]
            for key in object.allKeys {
                members[key.stringValue] = try object.decode(JSONValue.self, forKey: key)
            }
            self = .object(members)
        } else if var list = try? decoder.unkeyedContainer() {
            var elements: [JSONValue] = []
            while !list.isAtEnd { elements.append(try list.decode(JSONValue.self)) }
            self = .array(elements)
        } else {
            self = try Self.scalar(try decoder.singleValueContainer())
        }
    }

    private static func scalar(_ container: any SingleValueDecodingContainer) throws -> JSONValue {
        if container.decodeNil() { return .null }
        if let value = try? container.decode(Bool.self) { return .boolean(value) }
        if let value = try? container.decode(Int64.self) { return .integer(value) }
        if let value = try? container.decode(Double.self) { return .number(value) }
        return .string(try container.decode(String.self))
    }
}

package import PinholeModel
package import PinholeWire

/// A message of Protocol Buffers in JSON; a field without a known name is named by its number.
package struct ProtobufJSON: Encodable, SelfDescribed {
    private let value: JSONValue

    /// Takes the fields of a message.
    package init(_ members: [ProtobufMember]) { value = Self.object(members) }

    /// Writes the message as a JSON object.
    package func encode(to encoder: any Encoder) throws { try AnyJSON(value: value).encode(to: encoder) }

    /// An object whose members are the fields of the message.
    package static func schema(in book: SchemaBook) -> JSONSchema { .object }
    /// A message without fields.
    package static var schemaSample: ProtobufJSON { ProtobufJSON([]) }

    private static func object(_ members: [ProtobufMember]) -> JSONValue {
        var object: [String: JSONValue] = [:]
        // A field without a descriptor may occur more than once.
        var repeated: [String: [JSONValue]] = [:]
        for member in members {
            let value = value(member.node)
            repeated[member.name, default: []].append(value)
            object[member.name] = value
        }
        for (name, values) in repeated where values.count > 1 { object[name] = .array(values) }
        return .object(object)
    }

    private static func value(_ node: ProtobufNode) -> JSONValue {
        switch node {
        case .message(let members): object(members)
        case .list(let nodes): .array(nodes.map(value))
        case .text(let text), .long(let text), .name(let text): .string(text)
        case .bytes(let bytes): .string(Base64.encode(bytes))
        case .integer(let value): .integer(value)
        case .unsigned(let value): Int64(exactly: value).map(JSONValue.integer) ?? .string("\(value)")
        case .number(let value) where value.isFinite: .number(value)
        case .number(let value): .string(value.isNaN ? "NaN" : value > 0 ? "Infinity" : "-Infinity")
        case .boolean(let value): .boolean(value)
        }
    }
}

/// A JSON value that is written as it was read.
struct AnyJSON: Encodable, SelfDescribed {
    let value: JSONValue

    static func schema(in book: SchemaBook) -> JSONSchema { .any }
    static var schemaSample: AnyJSON { AnyJSON(value: .null) }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch value {
        case .null: try container.encodeNil()
        case .boolean(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let values): try container.encode(values.map(AnyJSON.init))
        case .object(let members): try container.encode(members.mapValues(AnyJSON.init))
        }
    }
}

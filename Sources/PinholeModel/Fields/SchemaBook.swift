/// A type whose members have descriptions for the API beside their names and types.
package protocol DescribedMembers: Decodable {
    /// The members whose names and types say too little.
    static var described: [FieldJSON] { get }
    /// Whether an object may lack each of the members, which then has its default.
    static var isPartial: Bool { get }
}

extension DescribedMembers {
    /// An object has all of its members.
    package static var isPartial: Bool { false }
}

/// A type that names its own schema, because it writes its members by a table or by hand.
package protocol SelfDescribed: Decodable {
    /// Returns the schema.
    static func schema(in book: SchemaBook) throws -> JSONSchema
    /// A value without content, for the description of types that contain one.
    static var schemaSample: Self { get }
}

extension SelfDescribed {
    /// Returns the value without content: such types are written only.
    package init(from decoder: any Decoder) throws { self = Self.schemaSample }
}

/// The schemas of the types of an API, which it derives from the members that each type declares (`Codable`).
///
/// A type decodes itself from a decoder without a text. The decoder notes each name, its type, and whether the type
/// asks first whether the member exists.
package final class SchemaBook {
    /// The schemas that a description lists once, by their names.
    package private(set) var schemas: [String: JSONSchema] = [:]
    private var values: [ObjectIdentifier: any Decodable] = [:]
    private var names: [ObjectIdentifier: String] = [:]

    /// Creates a book without schemas.
    package init() {}

    /// Returns a schema, or a reference to it if it has a name.
    package func use(_ schema: JSONSchema) -> JSONSchema {
        guard let name = schema.name else { return schema }
        schemas[name] = schema
        return .reference(name)
    }

    /// Returns the schema of a type; a reference for an object.
    package func schema<Value: Decodable>(of type: Value.Type) throws -> JSONSchema {
        if let name = names[ObjectIdentifier(type)] { return .reference(name) }
        return try read(type).schema
    }

    /// Returns the schema of an object itself, without a reference.
    package func members<Value: Decodable>(of type: Value.Type) throws -> JSONSchema {
        _ = try schema(of: type)
        return names[ObjectIdentifier(type)].flatMap { schemas[$0] } ?? .object
    }

    /// Returns the schema of a type, and a value of it.
    fileprivate func read<Value: Decodable>(_ type: Value.Type) throws -> (schema: JSONSchema, value: Value) {
        if let (schema, value) = Self.plain(type), let value = value as? Value { return (schema, value) }
        let id = ObjectIdentifier(type)
        if let name = names[id], let value = values[id] as? Value { return (.reference(name), value) }
        if let known = type as? any SelfDescribed.Type, let value = known.schemaSample as? Value {
            let schema = try known.schema(in: self)
            guard !schema.names.isEmpty else { return (schema, value) }
            (names[id], values[id]) = (name(of: type), value)
            return (use(schema.named(name(of: type))), value)
        }
        if let cases = type as? any CaseIterable.Type {
            let found = JSONValue.texts(of: cases)
            if let first = found.first?.value as? Value { return (.choice(found.map(\.text)), first) }
        }
        let name = name(of: type)
        let decoder = SchemaDecoder(self)
        names[id] = name
        let value = try Value(from: decoder)
        guard let members = decoder.members else {
            names[id] = nil
            return (decoder.plain ?? .any, value)
        }
        values[id] = value
        let object = JSONSchema.object(members, required: decoder.required)
        guard let known = type as? any DescribedMembers.Type else { return (use(object.named(name)), value) }
        let described = try object.described(by: known.described)
        return (use((known.isPartial ? described.optional : described).named(name)), value)
    }

    /// The schema of a type of the standard library that is no list, and a value of it; `nil` for other types.
    private static func plain(
        _ type: any Decodable.Type
    ) -> (schema: JSONSchema, value: any Decodable)? {
        switch type {
        case is Bool.Type: (.flag, false)
        case is String.Type: (.text, "")
        case is Double.Type: (.number, 0.0)
        case is Int.Type: (.integer, 0)
        case is Int64.Type: (.integer, Int64(0))
        case is Int32.Type: (.small.keyword("format", .string("int32")), Int32(0))
        case is UInt16.Type: (.small, UInt16(0))
        case is UInt8.Type: (.small, UInt8(0))
        default: nil
        }
    }

    /// The name of a type for readers: without its module, and without the places that say nothing to them.
    private func name(of type: any Decodable.Type) -> String {
        String(reflecting: type).split(separator: ".").dropFirst().filter { $0 != "ConsoleCall" }.joined()
            .replacing("JSON", with: "")
    }
}

/// The decoder without a text.
private final class SchemaDecoder: Decoder {
    let book: SchemaBook
    /// The schemas of the members; `nil` for a type that is no object.
    var members: [String: JSONSchema]?
    /// The members that are always there.
    var required: [String] = []
    /// The schema of a type that is no object.
    var plain: JSONSchema?

    init(_ book: SchemaBook) { self.book = book }

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        members = members ?? [:]
        return KeyedDecodingContainer(SchemaMembers(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Self.unknown("a list") }

    func singleValueContainer() -> any SingleValueDecodingContainer { SchemaValue(decoder: self) }

    static func unknown(_ place: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: [], debugDescription: "no schema follows from \(place)"))
    }
}

/// The members of an object without a text.
private struct SchemaMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: SchemaDecoder

    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool {
        decoder.required.removeAll { $0 == key.stringValue }
        decoder.members?[key.stringValue] = .any
        return true
    }

    func decodeNil(forKey key: Key) -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        if decoder.members?[key.stringValue] == nil { decoder.required.append(key.stringValue) }
        let (schema, value) = try decoder.book.read(type)
        decoder.members?[key.stringValue] = schema
        return value
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        decoder.members?[key.stringValue] = try decoder.book.schema(of: type)
        return nil
    }

    func nestedContainer<Inner>(
        keyedBy type: Inner.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<Inner> {
        throw SchemaDecoder.unknown(key.stringValue)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        throw SchemaDecoder.unknown(key.stringValue)
    }

    func superDecoder() throws -> any Decoder { throw SchemaDecoder.unknown("super") }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw SchemaDecoder.unknown(key.stringValue) }
}

/// A value without a text that is no object.
private struct SchemaValue: SingleValueDecodingContainer {
    let decoder: SchemaDecoder

    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let (schema, value) = try decoder.book.read(type)
        decoder.plain = schema
        return value
    }
}

extension Array: SelfDescribed where Element: Decodable {
    /// Returns the schema of a list of the elements.
    package static func schema(in book: SchemaBook) throws -> JSONSchema {
        .list(of: try book.schema(of: Element.self))
    }

    /// The empty list.
    package static var schemaSample: [Element] { [] }
}

extension Dictionary: SelfDescribed where Key == String, Value: Decodable {
    /// Returns the schema of an object whose members have any names.
    package static func schema(in book: SchemaBook) throws -> JSONSchema {
        .map(of: try book.schema(of: Value.self))
    }

    /// The object without members.
    package static var schemaSample: [String: Value] { [:] }
}

extension ClientProcess: DescribedMembers {
    /// The members whose meaning the description of the API tells.
    package static let described = [FieldJSON("path", "The file that it runs.")]
}

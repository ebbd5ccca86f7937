extension JSONValue {
    /// Decodes a value from the members that its type declares (`Decodable`).
    ///
    /// Other members are ignored.
    ///
    /// - Throws: `DecodingError` if a member is missing or of another type, or the error of the type.
    package func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
        try Value(from: JSONValueDecoder(value: self))
    }

    /// The cases of a type whose raw values are texts, each with its text.
    static func texts<Cases: CaseIterable>(of type: Cases.Type) -> [(text: String, value: Cases)] {
        type.allCases.compactMap { value in
            ((value as? any RawRepresentable)?.rawValue as? String).map { ($0, value) }
        }
    }

    fileprivate func mismatch(_ expected: String) -> DecodingError {
        .dataCorrupted(Self.context("expected \(expected), found \(summary)"))
    }

    fileprivate static func context(_ description: String) -> DecodingError.Context {
        DecodingError.Context(codingPath: [], debugDescription: description)
    }
}

/// Gives the parts of a value to the type that decodes it.
private struct JSONValueDecoder: Decoder {
    let value: JSONValue

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let members) = value else { throw value.mismatch("an object") }
        return KeyedDecodingContainer(JSONMemberValues(members: members))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let elements) = value else { throw value.mismatch("a list") }
        return JSONElementValues(elements: elements)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { JSONPlainValue(value: value) }
}

/// The members of an object.
private struct JSONMemberValues<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let members: [String: JSONValue]

    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { members.keys.compactMap(Key.init(stringValue:)) }

    private func member(_ key: some CodingKey) throws -> JSONValue {
        guard let member = members[key.stringValue] else {
            throw DecodingError.keyNotFound(key, JSONValue.context("the member is missing"))
        }
        return member
    }

    func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }
    func decodeNil(forKey key: Key) throws -> Bool { try member(key) == .null }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        let member = try member(key)
        do {
            return try member.decoded(as: type)
        } catch let DecodingError.dataCorrupted(context) {
            let path = [key as any CodingKey] + context.codingPath
            var problem = context.debugDescription
            if case .string(let text) = member, let cases = type as? any CaseIterable.Type {
                let words = JSONValue.texts(of: cases).map(\.text).joined(separator: ", ")
                if !words.isEmpty { problem = "expected \(words), found \(TerminalText.quoted(text))" }
            }
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: path, debugDescription: problem)
            )
        }
    }

    func nestedContainer<Inner>(
        keyedBy type: Inner.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<Inner> {
        try superDecoder(forKey: key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try superDecoder(forKey: key).unkeyedContainer()
    }

    func superDecoder() -> any Decoder { JSONValueDecoder(value: members["super"] ?? .null) }
    func superDecoder(forKey key: Key) throws -> any Decoder { JSONValueDecoder(value: try member(key)) }
}

/// The elements of an array.
private struct JSONElementValues: UnkeyedDecodingContainer {
    let elements: [JSONValue]
    private(set) var currentIndex = 0

    init(elements: [JSONValue]) { self.elements = elements }

    var codingPath: [any CodingKey] { [] }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    private mutating func next() throws -> JSONValue {
        guard !isAtEnd else {
            throw DecodingError.dataCorrupted(JSONValue.context("the list has no more elements"))
        }
        defer { currentIndex += 1 }
        return elements[currentIndex]
    }

    mutating func decodeNil() throws -> Bool {
        // An element that is not null is kept as the next element.
        guard !isAtEnd, elements[currentIndex] == .null else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try next().decoded(as: type)
    }

    mutating func nestedContainer<Inner>(keyedBy type: Inner.Type) throws -> KeyedDecodingContainer<Inner> {
        try superDecoder().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try superDecoder().unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder { JSONValueDecoder(value: try next()) }
}

/// A value that is neither an object nor an array.
private struct JSONPlainValue: SingleValueDecodingContainer {
    let value: JSONValue

    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { value == .null }

    func decode(_ type: Bool.Type) throws -> Bool {
        guard case .boolean(let flag) = value else { throw value.mismatch("true or false") }
        return flag
    }

    func decode(_ type: String.Type) throws -> String {
        guard case .string(let text) = value else { throw value.mismatch("a text") }
        return text
    }

    func decode(_ type: Double.Type) throws -> Double {
        switch value {
        case .integer(let number): return Double(number)
        case .number(let number): return number
        case .null, .boolean, .string, .array, .object: throw value.mismatch("a number")
        }
    }

    func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }

    func decode<Number: FixedWidthInteger & Decodable>(_ type: Number.Type) throws -> Number {
        let number: Number? =
            switch value {
            case .integer(let number): Number(exactly: number)
            case .number(let number): Number(exactly: number)
            case .null, .boolean, .string, .array, .object: nil
            }
        guard let number else { throw value.mismatch("a whole number that fits") }
        return number
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try value.decoded(as: type) }
}

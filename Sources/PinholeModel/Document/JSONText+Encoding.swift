extension JSONText {
    /// Returns the JSON of a value, with the members that its type declares (`Encodable`).
    ///
    /// A member that is `nil` is left out.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - isSorted: Whether members are sorted by name; otherwise they keep the order in which the type encodes them.
    /// - Returns: The text, on one line.
    /// - Throws: The error of a type that cannot encode itself, or `EncodingError` for a number that JSON cannot write.
    package static func encoding(_ value: some Encodable, isSorted: Bool = false) throws -> String {
        let encoder = JSONTextEncoder(isSorted: isSorted)
        try encoder.write(value)
        return String(decoding: encoder.text.bytes, as: UTF8.self)
    }
}

/// Writes the text while a value encodes itself.
///
/// A container does not know its end. So its bracket is closed when the value that opened it is complete, or when a
/// container around it continues.
private final class JSONTextEncoder: Encoder {
    /// An object or an array that is open.
    private struct Open {
        let closing: UInt8
        /// The names of its members, and the place in the text where each begins, including its comma.
        var members: [(name: String, start: Int)] = []
    }

    var text = JSONText()
    private let isSorted: Bool
    private var opened: [Open] = []
    /// The number of containers that were open before the current value.
    private var outer = 0

    init(isSorted: Bool) { self.isSorted = isSorted }

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Writes a value, and closes the containers that it opened.
    func write(_ value: some Encodable) throws {
        let (depth, earlier) = (opened.count, outer)
        outer = depth
        defer { outer = earlier }
        try value.encode(to: self)
        close(to: depth)
    }

    /// Makes the next encoded value a separate value and not a part of the one around it.
    func beginValue() -> JSONTextEncoder {
        outer = opened.count
        return self
    }

    func close(to depth: Int) {
        while opened.count > depth, let last = opened.popLast() {
            if isSorted { text.sort(last.members) }
            text.end(last.closing)
        }
    }

    /// Writes the name of the next member of the object at `depth`.
    func beginMember(_ name: String, at depth: Int) {
        close(to: depth)
        if isSorted, opened.indices.contains(depth - 1) {
            opened[depth - 1].members.append((name, text.bytes.count))
        }
        text.name(name)
    }

    private func open(_ bracket: UInt8, closing: UInt8) -> Int {
        text.begin(bracket)
        opened.append(Open(closing: closing))
        return opened.count
    }

    /// Returns the container of the value's object; a type, its base type and its parts may all write to the same
    /// object.
    func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        guard opened.count > outer, opened[outer].closing == 0x7d else { return object() }
        close(to: outer + 1)
        return KeyedEncodingContainer(JSONMembers(encoder: self, depth: outer + 1))
    }

    /// Opens a new object and returns the container of its members.
    func object<Key>() -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(JSONMembers(encoder: self, depth: open(0x7b, closing: 0x7d)))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        JSONElements(encoder: self, depth: open(0x5b, closing: 0x5d))
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { JSONSingleValue(encoder: self) }
}

/// The members of an object.
private struct JSONMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: JSONTextEncoder
    let depth: Int

    var codingPath: [any CodingKey] { [] }

    private func begin(_ key: some CodingKey) { encoder.beginMember(key.stringValue, at: depth) }

    func encodeNil(forKey key: Key) {
        begin(key)
        encoder.text.raw("null")
    }

    func encode(_ value: some Encodable, forKey key: Key) throws {
        begin(key)
        try encoder.write(value)
    }

    func nestedContainer<Inner>(
        keyedBy type: Inner.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<Inner> {
        begin(key)
        return encoder.object()
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        begin(key)
        return encoder.unkeyedContainer()
    }

    func superEncoder() -> any Encoder {
        encoder.beginMember("super", at: depth)
        return encoder.beginValue()
    }

    func superEncoder(forKey key: Key) -> any Encoder {
        begin(key)
        return encoder.beginValue()
    }
}

/// The elements of an array.
private struct JSONElements: UnkeyedEncodingContainer {
    let encoder: JSONTextEncoder
    let depth: Int
    private(set) var count = 0

    init(encoder: JSONTextEncoder, depth: Int) {
        self.encoder = encoder
        self.depth = depth
    }

    var codingPath: [any CodingKey] { [] }

    private mutating func begin() {
        encoder.close(to: depth)
        count += 1
    }

    mutating func encodeNil() {
        begin()
        encoder.text.raw("null")
    }

    mutating func encode(_ value: some Encodable) throws {
        begin()
        try encoder.write(value)
    }

    mutating func nestedContainer<Inner>(keyedBy type: Inner.Type) -> KeyedEncodingContainer<Inner> {
        begin()
        return encoder.object()
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        begin()
        return encoder.unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder {
        begin()
        return encoder.beginValue()
    }
}

/// A value that is neither an object nor an array.
private struct JSONSingleValue: SingleValueEncodingContainer {
    let encoder: JSONTextEncoder

    var codingPath: [any CodingKey] { [] }

    func encodeNil() { encoder.text.raw("null") }
    func encode(_ value: Bool) { encoder.text.raw(value ? "true" : "false") }
    func encode(_ value: String) { encoder.text.string(value) }
    func encode(_ value: Float) throws { try encode(number: value) }
    func encode(_ value: Double) throws { try encode(number: value) }

    private func encode(number value: some BinaryFloatingPoint & CustomStringConvertible) throws {
        guard value.isFinite else {
            throw EncodingError.invalidValue(
                value,
                EncodingError.Context(codingPath: [], debugDescription: "JSON has no number for \(value)")
            )
        }
        encoder.text.number(value)
    }

    func encode(_ value: some FixedWidthInteger & Encodable) { encoder.text.raw(String(value)) }
    func encode(_ value: some Encodable) throws { try encoder.write(value) }
}

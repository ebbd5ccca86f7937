import PinholeModel

/// A typed netstring, mitmproxy's format for flows: a length, “:”, that many bytes, and a type.
///
/// mitmproxy adds texts (`;`) to the types of tnetstrings.org.
enum TNetstring {
    case null
    case truth(Bool)
    case integer(Int64)
    case number(Double)
    case bytes(ArraySlice<UInt8>)
    case text(String)
    case list([TNetstring])
    case dictionary([String: TNetstring])

    /// The member with a name; `nil` if this is not a dictionary, or if the member is missing or null.
    subscript(name: String) -> TNetstring? {
        guard case .dictionary(let members) = self, let member = members[name] else { return nil }
        if case .null = member { return nil }
        return member
    }

    /// The bytes, or the UTF-8 of a text; `nil` for other values.
    var bytes: [UInt8]? {
        switch self {
        case .bytes(let bytes): Array(bytes)
        case .text(let text): Array(text.utf8)
        case .null, .truth, .integer, .number, .list, .dictionary: nil
        }
    }

    /// The text, which may be stored as bytes; `nil` for other values.
    var text: String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

    /// The number; `nil` for other values.
    var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        case .null, .truth, .bytes, .text, .list, .dictionary: nil
        }
    }

    /// The whole number; `nil` for other values.
    var integer: Int64? {
        guard case .integer(let number) = self else { return nil }
        return number
    }

    /// Whether the value is `true`.
    var isTrue: Bool {
        guard case .truth(let value) = self else { return false }
        return value
    }

    /// The elements; empty if this is not a list.
    var elements: [TNetstring] {
        guard case .list(let elements) = self else { return [] }
        return elements
    }

    /// The number of values in this one, itself included.
    var count: Int {
        switch self {
        case .list(let elements): elements.reduce(1) { $0 + $1.count }
        case .dictionary(let members): members.values.reduce(1) { $0 + $1.count }
        case .null, .truth, .integer, .number, .bytes, .text: 1
        }
    }

    /// The value as JSON, for a message after “found”; lists and dictionaries are empty.
    var fact: JSONValue {
        switch self {
        case .null: .null
        case .truth(let value): .boolean(value)
        case .integer(let number): .integer(number)
        case .number(let number): .number(number)
        case .bytes, .text: .string(text ?? "")
        case .list: .array([])
        case .dictionary: .object([:])
        }
    }
}

extension TNetstring {
    /// The encoding of the value.
    var encoded: [UInt8] {
        switch self {
        case .null: Self.encoded([], "~")
        case .truth(let value): Self.encoded(Array("\(value)".utf8), "!")
        case .integer(let number): Self.encoded(Array("\(number)".utf8), "#")
        case .number(let number): Self.encoded(Array("\(number)".utf8), "^")
        case .bytes(let bytes): Self.encoded(bytes, ",")
        case .text(let text): Self.encoded(Array(text.utf8), ";")
        case .list(let elements): Self.encoded(elements.flatMap(\.encoded), "]")
        case .dictionary(let members):
            Self.encoded(
                members.sorted { $0.key < $1.key }.flatMap {
                    TNetstring.text($0.key).encoded + $0.value.encoded
                },
                "}"
            )
        }
    }

    private static func encoded(_ payload: some Collection<UInt8>, _ type: Character) -> [UInt8] {
        var bytes = Array("\(payload.count):".utf8)
        bytes.reserveCapacity(bytes.count + payload.count + 1)
        bytes.append(contentsOf: payload)
        bytes.append(contentsOf: String(type).utf8)
        return bytes
    }
}

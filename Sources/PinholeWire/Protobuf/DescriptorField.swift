/// Reads fields of the messages in `google/protobuf/descriptor.proto`.
enum DescriptorField {
    /// Passes every field of a message to `use`.
    static func each(
        _ bytes: ArraySlice<UInt8>,
        _ use: (ProtobufReader.Field) throws(ProtobufFailure) -> Void
    ) throws(ProtobufFailure) {
        var reader = ProtobufReader(bytes)
        while let field = try reader.next() { try use(field) }
    }

    /// The text of a field; `nil` if the field is missing.
    static func text(_ number: Int, in bytes: ArraySlice<UInt8>) throws(ProtobufFailure) -> String? {
        var found: String?
        try each(bytes) { field throws(ProtobufFailure) in
            guard field.number == number, case .bytes(let text) = field.value else { return }
            guard let text = String(validating: text, as: UTF8.self) else {
                throw ProtobufFailure("a name is not UTF-8")
            }
            found = text
        }
        return found
    }

    /// The number in a field; `nil` if the field is missing.
    static func number(_ number: Int, in bytes: ArraySlice<UInt8>) throws(ProtobufFailure) -> UInt64? {
        var found: UInt64?
        try each(bytes) { field throws(ProtobufFailure) in
            if field.number == number, case .varint(let value) = field.value { found = value }
        }
        return found
    }

    /// The full name of a type, without the dot that stands before it in a descriptor.
    static func typeName(_ number: Int, in bytes: ArraySlice<UInt8>) throws(ProtobufFailure) -> String {
        let name = try text(number, in: bytes) ?? ""
        return name.hasPrefix(".") ? String(name.dropFirst()) : name
    }

    /// The name for JSON if the descriptor has none: `some_field` becomes `someField`.
    private static func lowerCamel(_ name: String) -> String {
        var camel = ""
        var isRaised = false
        for letter in name {
            if letter == "_" {
                isRaised = true
            } else {
                camel += isRaised ? letter.uppercased() : String(letter)
                isRaised = false
            }
        }
        return camel
    }

    /// Reads a `google.protobuf.FieldDescriptorProto`; `nil` if its type is unknown.
    static func read(
        _ bytes: ArraySlice<UInt8>
    ) throws(ProtobufFailure) -> (number: Int, field: ProtobufSchema.Field)? {
        guard let number = try number(3, in: bytes), let name = try text(1, in: bytes),
            let type = try self.number(5, in: bytes).flatMap(ProtobufSchema.FieldType.init(rawValue:))
        else { return nil }
        return (
            Int(truncatingIfNeeded: number),
            ProtobufSchema.Field(
                name: name,
                jsonName: try text(10, in: bytes) ?? lowerCamel(name),
                type: type,
                typeName: try typeName(6, in: bytes),
                isRepeated: try self.number(4, in: bytes) == 3
            )
        )
    }
}

/// The content of a descriptor set: messages, enumerations and the methods of services, by their full names.
///
/// `protoc --descriptor_set_out=FILE --include_imports` writes such a set, a
/// `google.protobuf.FileDescriptorSet`.
package struct ProtobufSchema: Sendable {
    /// A field of a message.
    struct Field: Sendable, Equatable {
        var name: String
        var jsonName: String
        var type: FieldType
        /// The full name of the field's message or enumeration.
        var typeName: String
        var isRepeated: Bool
    }

    /// The types of `google.protobuf.FieldDescriptorProto.Type`.
    enum FieldType: UInt64, Sendable {
        case double = 1
        case float, int64, uint64, int32, fixed64, fixed32, bool, string, group, message, bytes, uint32
        case enumeration, sfixed32, sfixed64, sint32, sint64
    }

    struct Message: Sendable {
        var name: String
        var fields: [Int: Field] = [:]
        var isMapEntry = false
    }

    /// A method of a service.
    package struct Method: Sendable, Equatable {
        /// The full name of the request's message.
        package var request: String
        /// The full name of the response's message.
        package var response: String
    }

    var messages: [String: Message] = [:]
    /// The names of an enumeration's values.
    var enumerations: [String: [Int32: String]] = [:]
    private var methods: [String: Method] = [:]

    /// Reads a descriptor set.
    ///
    /// - Parameter bytes: The content of the file.
    /// - Throws: ``ProtobufFailure`` when the file is something else.
    package init(descriptorSet bytes: [UInt8]) throws(ProtobufFailure) {
        do throws(ProtobufFailure) {
            try DescriptorField.each(bytes[...]) { field throws(ProtobufFailure) in
                if case (1, .bytes(let file)) = (field.number, field.value) { try addFile(file) }
            }
        } catch {
            throw ProtobufFailure(
                "expected a descriptor set, as protoc --descriptor_set_out=FILE --include_imports writes it, "
                    + "found something else: \(error)"
            )
        }
        guard !messages.isEmpty || !methods.isEmpty else {
            throw ProtobufFailure(
                "expected a descriptor set, as protoc --descriptor_set_out=FILE --include_imports writes it, "
                    + "found no message in it"
            )
        }
    }

    /// Returns the method that a path denotes.
    ///
    /// - Parameter path: The path, `/package.Service/Method`; text before that and a query are ignored.
    /// - Returns: The method; `nil` if the set has none.
    package func method(path: String) -> Method? {
        let parts = path.prefix { $0 != "?" }.split(separator: "/").suffix(2)
        return methods[parts.joined(separator: "/")]
    }

    /// Whether the set has a message with this full name.
    ///
    /// - Parameter name: The name, as in `google.protobuf.Timestamp`.
    /// - Returns: Whether the set has the message.
    package func hasMessage(_ name: String) -> Bool { messages[name] != nil }

    // MARK: Reading google.protobuf.FileDescriptorProto and its messages

    private mutating func addFile(_ bytes: ArraySlice<UInt8>) throws(ProtobufFailure) {
        let package = try DescriptorField.text(2, in: bytes) ?? ""
        let prefix = package.isEmpty ? "" : package + "."
        try DescriptorField.each(bytes) { field throws(ProtobufFailure) in
            guard case .bytes(let content) = field.value else { return }
            switch field.number {
            case 4: try addMessage(content, prefix, depth: 0)
            case 5: try addEnumeration(content, prefix)
            case 6: try addService(content, prefix)
            default: break
            }
        }
    }

    private mutating func addMessage(
        _ bytes: ArraySlice<UInt8>,
        _ prefix: String,
        depth: Int
    ) throws(ProtobufFailure) {
        guard depth < ProtobufBudget.depth else {
            throw ProtobufFailure(
                "messages are declared deeper than \(ProtobufBudget.depth) within each other"
            )
        }
        let name = prefix + (try DescriptorField.text(1, in: bytes) ?? "")
        var message = Message(name: name)
        try DescriptorField.each(bytes) { field throws(ProtobufFailure) in
            guard case .bytes(let content) = field.value else { return }
            switch field.number {
            case 2: try DescriptorField.read(content).map { message.fields[$0.number] = $0.field }
            case 3: try addMessage(content, name + ".", depth: depth + 1)
            case 4: try addEnumeration(content, name + ".")
            case 7: message.isMapEntry = try DescriptorField.number(7, in: content) == 1
            default: break
            }
        }
        messages[name] = message
    }

    private mutating func addEnumeration(
        _ bytes: ArraySlice<UInt8>,
        _ prefix: String
    ) throws(ProtobufFailure) {
        let name = prefix + (try DescriptorField.text(1, in: bytes) ?? "")
        var values: [Int32: String] = [:]
        try DescriptorField.each(bytes) { field throws(ProtobufFailure) in
            guard case (2, .bytes(let content)) = (field.number, field.value) else { return }
            let number = Int32(truncatingIfNeeded: try DescriptorField.number(2, in: content) ?? 0)
            // If several names have the same number, the first one counts.
            if values[number] == nil { values[number] = try DescriptorField.text(1, in: content) }
        }
        enumerations[name] = values
    }

    private mutating func addService(
        _ bytes: ArraySlice<UInt8>,
        _ prefix: String
    ) throws(ProtobufFailure) {
        let service = prefix + (try DescriptorField.text(1, in: bytes) ?? "")
        try DescriptorField.each(bytes) { field throws(ProtobufFailure) in
            guard case (2, .bytes(let content)) = (field.number, field.value),
                let name = try DescriptorField.text(1, in: content)
            else { return }
            methods["\(service)/\(name)"] = Method(
                request: try DescriptorField.typeName(2, in: content),
                response: try DescriptorField.typeName(3, in: content)
            )
        }
    }
}

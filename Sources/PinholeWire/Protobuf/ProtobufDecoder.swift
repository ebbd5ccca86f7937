/// Reads messages of Protocol Buffers into trees, with their declarations if these are known.
package struct ProtobufDecoder: Sendable {
    private let schema: ProtobufSchema?

    /// Creates a decoder.
    ///
    /// - Parameter schema: The declarations; `nil` to guess.
    package init(_ schema: ProtobufSchema?) { self.schema = schema }

    /// Whether a Content-Type means that a body is one message, as `application/x-protobuf` does.
    ///
    /// - Parameter contentType: The field's value; `nil` if there is none.
    /// - Returns: Whether the body is one message; `false` for streams such as gRPC's, which have their own types.
    package static func isNamed(by contentType: String?) -> Bool {
        let essence = (contentType ?? "").prefix { $0 != ";" && !$0.isWhitespace }.lowercased()
        return ["protobuf", "protobuffer", "proto"].contains { name in
            ["/", "+", ".", "-"].contains { essence.hasSuffix($0 + name) }
        } && StreamFormat(contentType: Array(essence.utf8)[...]) == nil
    }

    /// Reads a message.
    ///
    /// - Parameters:
    ///   - bytes: The message.
    ///   - type: The full name of the message. A message without a name, or with a name that is not in the
    ///     set, is guessed.
    /// - Returns: The fields of the message.
    /// - Throws: ``ProtobufFailure`` when the bytes are no message.
    package func members(
        _ bytes: ArraySlice<UInt8>,
        type: String?
    ) throws(ProtobufFailure) -> [ProtobufMember] {
        var budget = ProtobufBudget()
        guard let type, schema?.messages[type] != nil else {
            return try ProtobufGuess.members(bytes, &budget)
        }
        return try members(bytes, type, depth: 0, &budget)
    }

    private func members(
        _ bytes: ArraySlice<UInt8>,
        _ type: String,
        depth: Int,
        _ budget: inout ProtobufBudget
    ) throws(ProtobufFailure) -> [ProtobufMember] {
        guard depth < ProtobufBudget.depth else {
            throw ProtobufFailure("messages are nested deeper than \(ProtobufBudget.depth)")
        }
        var reader = ProtobufReader(bytes)
        var members: [ProtobufMember] = []
        var places: [Int: Int] = [:]
        while let field = try reader.next() {
            try budget.spend()
            guard let known = schema?.messages[type]?.fields[field.number] else {
                var member = try ProtobufGuess.member(field, depth: depth, &budget)
                member.remark = (member.remark.map { "\($0); " } ?? "") + "not in the descriptor"
                members.append(member)
                continue
            }
            guard let values = try values(field.value, known, depth: depth, &budget) else {
                var member = try ProtobufGuess.member(field, depth: depth, &budget)
                member.remark = "\(known.name) has another type in the descriptor"
                members.append(member)
                continue
            }
            let place = places[field.number] ?? members.count
            if place == members.count {
                places[field.number] = place
                members.append(ProtobufMember(known.jsonName, isMap(known) ? .message([]) : .list([])))
            }
            put(values, known, into: &members[place])
        }
        return members
    }

    /// Adds the values of a field to the previous ones.
    private func put(
        _ values: [ProtobufNode],
        _ field: ProtobufSchema.Field,
        into member: inout ProtobufMember
    ) {
        if case .message(var entries) = member.node, isMap(field) {
            entries += values.compactMap(Self.entry)
            member.node = .message(entries)
        } else if field.isRepeated, case .list(var list) = member.node {
            // The list must have only one owner, or each value would copy it.
            member.node = .list([])
            list += values
            member.node = .list(list)
        } else if let last = values.last {
            member.node = last
        }
    }

    private func isMap(_ field: ProtobufSchema.Field) -> Bool {
        field.type == .message && schema?.messages[field.typeName]?.isMapEntry == true
    }

    /// Reads the entry of a map, a message with key and value.
    ///
    /// A missing part has its default.
    private static func entry(_ node: ProtobufNode) -> ProtobufMember? {
        guard case .message(let parts) = node else { return nil }
        let key = parts.first { $0.name == "key" }.map { keyText($0.node) } ?? ""
        return ProtobufMember(key, parts.first { $0.name == "value" }?.node ?? .text(""))
    }

    private static func keyText(_ node: ProtobufNode) -> String {
        switch node {
        case .text(let text), .long(let text), .name(let text): text
        case .integer(let value): "\(value)"
        case .unsigned(let value): "\(value)"
        case .boolean(let value): "\(value)"
        case .message, .list, .bytes, .number: ""
        }
    }

    /// The values of one field; `nil` if the wire type does not fit the field's type.
    private func values(
        _ value: ProtobufReader.Value,
        _ field: ProtobufSchema.Field,
        depth: Int,
        _ budget: inout ProtobufBudget
    ) throws(ProtobufFailure) -> [ProtobufNode]? {
        switch (value, field.type) {
        case (.bytes(let bytes), .string):
            return [.text(String(decoding: bytes, as: UTF8.self))]
        case (.bytes(let bytes), .bytes): return [.bytes(Array(bytes))]
        // In editions, descriptors call a message a message also where it is encoded as a group.
        case (.bytes(let bytes), .message), (.group(let bytes), .group), (.group(let bytes), .message):
            return [try message(bytes, field.typeName, depth: depth + 1, &budget)]
        case (.bytes(let bytes), _): return try packed(bytes, field, &budget)
        default: return scalar(value, field).map { [$0] }
        }
    }

    private func message(
        _ bytes: ArraySlice<UInt8>,
        _ type: String,
        depth: Int,
        _ budget: inout ProtobufBudget
    ) throws(ProtobufFailure) -> ProtobufNode {
        if let known = try ProtobufWellKnown.node(bytes, type) { return known }
        guard schema?.messages[type] != nil else {
            return .message(try ProtobufGuess.members(bytes, depth: depth, &budget))
        }
        let members = try members(bytes, type, depth: depth, &budget)
        guard type == "google.protobuf.Any", case .text(let url)? = members.first?.node,
            case .bytes(let content)? = members.first(where: { $0.name == "value" })?.node,
            let name = url.split(separator: "/").last.map(String.init), schema?.messages[name] != nil
        else { return .message(members) }
        let value = try message(content[...], name, depth: depth + 1, &budget)
        return .message([ProtobufMember("@type", .text(url)), ProtobufMember("value", value)])
    }

    /// Reads repeated numbers that are packed into one value; `nil` if the field is not a list of numbers.
    private func packed(
        _ bytes: ArraySlice<UInt8>,
        _ field: ProtobufSchema.Field,
        _ budget: inout ProtobufBudget
    ) throws(ProtobufFailure) -> [ProtobufNode]? {
        guard field.isRepeated else { return nil }
        var reader = ProtobufReader(bytes)
        var nodes: [ProtobufNode] = []
        while reader.hasMore {
            try budget.spend()
            guard let value = Self.element(&reader, field.type), let node = scalar(value, field) else {
                return nil
            }
            nodes.append(node)
        }
        return nodes
    }

    private static func element(
        _ reader: inout ProtobufReader,
        _ type: ProtobufSchema.FieldType
    ) -> ProtobufReader.Value? {
        switch type {
        case .double, .fixed64, .sfixed64: (try? reader.fixed(8)).map { .fixed64($0) }
        case .float, .fixed32, .sfixed32:
            (try? reader.fixed(4)).map { .fixed32(UInt32(truncatingIfNeeded: $0)) }
        default: (try? reader.varint()).map { .varint($0) }
        }
    }

    private func scalar(_ value: ProtobufReader.Value, _ field: ProtobufSchema.Field) -> ProtobufNode? {
        switch (field.type, value) {
        case (.double, .fixed64(let bits)): .number(Double(bitPattern: bits))
        case (.float, .fixed32(let bits)): .number(Double("\(Float(bitPattern: bits))") ?? .nan)
        case (.int64, .varint(let bits)): .long("\(Int64(bitPattern: bits))")
        case (.uint64, .varint(let bits)): .long("\(bits)")
        case (.int32, .varint(let bits)): .integer(Int64(Int32(truncatingIfNeeded: bits)))
        case (.uint32, .varint(let bits)): .integer(Int64(UInt32(truncatingIfNeeded: bits)))
        case (.fixed64, .fixed64(let bits)): .long("\(bits)")
        case (.sfixed64, .fixed64(let bits)): .long("\(Int64(bitPattern: bits))")
        case (.fixed32, .fixed32(let bits)): .integer(Int64(bits))
        case (.sfixed32, .fixed32(let bits)): .integer(Int64(Int32(bitPattern: bits)))
        case (.bool, .varint(let bits)): .boolean(bits != 0)
        case (.sint32, .varint(let bits)):
            .integer(Int64(Int32(truncatingIfNeeded: Self.zigzag(bits & 0xffff_ffff))))
        case (.sint64, .varint(let bits)): .long("\(Self.zigzag(bits))")
        case (.enumeration, .varint(let bits)): enumeration(bits, field.typeName)
        default: nil
        }
    }

    private func enumeration(_ bits: UInt64, _ type: String) -> ProtobufNode {
        let number = Int32(truncatingIfNeeded: bits)
        return schema?.enumerations[type]?[number].map(ProtobufNode.name) ?? .integer(Int64(number))
    }

    private static func zigzag(_ bits: UInt64) -> Int64 { Int64(bits >> 1) ^ -Int64(bits & 1) }
}

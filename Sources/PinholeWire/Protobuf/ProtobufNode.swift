/// A value of a message in readable form.
package indirect enum ProtobufNode: Sendable, Equatable {
    /// A message or a map, with its fields in the order in which they first came.
    case message([ProtobufMember])
    /// The values of a repeated field.
    case list([ProtobufNode])
    /// A text, or a time or duration in the form of Protocol Buffers' JSON.
    case text(String)
    /// Bytes that are neither a text nor a message.
    case bytes([UInt8])
    /// A signed number.
    case integer(Int64)
    /// An unsigned number.
    case unsigned(UInt64)
    /// A number of 64 bits, which the JSON of Protocol Buffers writes as text.
    case long(String)
    /// A floating-point number.
    case number(Double)
    /// A truth value.
    case boolean(Bool)
    /// The name of an enumeration's value.
    case name(String)
}

/// A field of a message.
package struct ProtobufMember: Sendable, Equatable {
    /// The name of the field: from the descriptor, the key of a map entry, or the number if no descriptor names it.
    package var name: String
    /// The value of the field.
    package var node: ProtobufNode
    /// Other possible meanings, or the fault of the field; `nil` if there are none.
    package var remark: String?

    init(_ name: String, _ node: ProtobufNode, remark: String? = nil) {
        self.name = name
        self.node = node
        self.remark = remark
    }
}

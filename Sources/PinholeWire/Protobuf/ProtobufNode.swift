/// A value of a message, as people read it.
package indirect enum ProtobufNode: Sendable, Equatable {
    /// A message, or a map: its fields in the order in which they first came.
    case message([ProtobufMember])
    /// The values of a repeated field.
    case list([ProtobufNode])
    /// A text, or a moment or duration as the JSON of Protocol Buffers writes it.
    case text(String)
    /// Bytes.
    case bytes([UInt8])
    /// A signed number.
    case integer(Int64)
    /// An unsigned number.
    case unsigned(UInt64)
    /// A number of 64 bits, which the JSON of Protocol Buffers writes as a text.
    case long(String)
    /// A floating-point number.
    case number(Double)
    /// A truth value.
    case boolean(Bool)
    /// A value of an enumeration, by its name.
    case name(String)
}

/// A field of a message.
package struct ProtobufMember: Sendable, Equatable {
    /// What it is called: its name, its key in a map, or its number where no descriptor names it.
    package var name: String
    /// Its value.
    package var node: ProtobufNode
    /// What else it may mean, or what is wrong with it.
    package var remark: String?

    init(_ name: String, _ node: ProtobufNode, remark: String? = nil) {
        self.name = name
        self.node = node
        self.remark = remark
    }
}

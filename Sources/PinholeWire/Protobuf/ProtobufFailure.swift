/// The reason why bytes are no message of Protocol Buffers, or why a descriptor set cannot be used.
package struct ProtobufFailure: Error, Equatable, CustomStringConvertible {
    /// A sentence with what was expected and what came.
    package let description: String

    init(_ description: String) { self.description = description }
}

/// Why bytes are no message of Protocol Buffers, or a descriptor set cannot be used.
package struct ProtobufFailure: Error, Equatable, CustomStringConvertible {
    /// One sentence: what was expected, what came.
    package let description: String

    init(_ description: String) { self.description = description }
}

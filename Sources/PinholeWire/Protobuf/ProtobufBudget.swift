/// The limits for reading one message, however it is nested.
struct ProtobufBudget {
    /// The number of fields that may still be read.
    ///
    /// Failed attempts count, too.
    private var fields: Int

    /// The largest depth of nested messages; protobuf's own libraries stop at 100.
    static let depth = 64
    /// The largest depth of nested messages if no descriptor says that they are messages.
    static let guessedDepth = 16

    init(fields: Int = 20_000) { self.fields = fields }

    /// Counts one field.
    mutating func spend() throws(ProtobufFailure) {
        guard fields > 0 else { throw ProtobufFailure("it has more fields than are shown") }
        fields -= 1
    }
}

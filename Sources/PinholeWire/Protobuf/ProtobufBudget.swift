/// What one message may cost, however its bytes are nested.
struct ProtobufBudget {
    /// Fields that are still read; attempts that came to nothing count, too.
    private var fields: Int

    /// Messages within messages; protobuf's own libraries stop at 100.
    static let depth = 64
    /// Messages within messages where nothing says that they are messages.
    static let guessedDepth = 16

    init(fields: Int = 20_000) { self.fields = fields }

    /// Takes one field off.
    mutating func spend() throws(ProtobufFailure) {
        guard fields > 0 else { throw ProtobufFailure("it has more fields than are shown") }
        fields -= 1
    }
}

/// The response that a `mock` rule gives.
package struct MockAnswer: Sendable, Equatable {
    /// Where its content comes from.
    package enum Content: Sendable, Equatable {
        /// These bytes.
        case bytes([UInt8])
        /// A file, read anew each time.
        case file(String)
    }

    /// Larger files are refused: a rule edits the content of a file in memory.
    package static let fileLimit = 64 << 20

    /// The status.
    package var status: Int
    /// The field lines, beside Content-Length.
    package var fields: [FieldLine]
    /// The content.
    package var content: Content

    /// Creates a response.
    package init(status: Int = 200, fields: [FieldLine] = [], content: Content = .bytes([])) {
        self.status = status
        self.fields = fields
        self.content = content
    }
}

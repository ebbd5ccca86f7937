/// The response that a `mock` rule gives.
package struct MockAnswer: Sendable, Equatable {
    /// The source of the content.
    package enum Content: Sendable, Equatable {
        /// Fixed bytes.
        case bytes([UInt8])
        /// A file that is read for each answer.
        case file(String)
    }

    /// The largest file, in bytes.
    ///
    /// Larger files are refused, since a rule edits the content of a file in memory.
    package static let fileLimit = 64 << 20

    /// The status code of the answer.
    package var status: Int
    /// The field lines, without Content-Length.
    package var fields: [FieldLine]
    /// The content of the answer, or the place to read it from.
    package var content: Content

    /// Creates a response.
    package init(status: Int = 200, fields: [FieldLine] = [], content: Content = .bytes([])) {
        self.status = status
        self.fields = fields
        self.content = content
    }
}

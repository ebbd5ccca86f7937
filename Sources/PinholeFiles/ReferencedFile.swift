/// A file that a document names.
///
/// The content never becomes part of a message: it is only handed to a parser, and what the parser throws is dropped.
/// A ``FileRefusal`` with a fixed text takes its place, so no reader can quote the file by mistake.
package struct ReferencedFile: Sendable {
    private let name: String
    private let content: [UInt8]

    init(_ name: String, _ content: [UInt8]) {
        self.name = name
        self.content = content
    }

    /// Parses the content.
    ///
    /// - Parameters:
    ///   - expected: The kind of content, for the failure: `certificates in PEM or DER`. A `StaticString` cannot hold
    ///     a part of the file.
    ///   - remedy: The command that tells more about the file, before its name; `nil` if there is none.
    ///   - parse: Reads the content; its error is dropped.
    /// - Returns: The result of `parse`.
    /// - Throws: ``FileRefusal`` if `parse` throws.
    package func parsed<Value>(
        as expected: StaticString,
        remedy: StaticString? = nil,
        _ parse: ([UInt8]) throws -> Value
    ) throws(FileRefusal) -> Value {
        do {
            return try parse(content)
        } catch {
            throw FileRefusal(name, .unusable(expected: "\(expected)", remedy: remedy.map { "\($0)" }))
        }
    }
}

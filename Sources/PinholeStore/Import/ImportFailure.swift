/// Why a file cannot be imported, or not to its end.
package enum ImportFailure: Error, Equatable, CustomStringConvertible {
    /// The file system refused; the text is its reason.
    case system(path: String, String)
    /// The file is nothing that can be imported; the text says what it is, and what to do.
    case unknown(path: String, String)
    /// The file ceases to be what it began as.
    case malformed(path: String, ImportFault)
    /// The capture cannot be written.
    case capture(CaptureFailure)

    /// One or two sentences: where, what was expected, what came, what to do.
    package var description: String {
        switch self {
        case .system(let path, let reason): "\(path) cannot be read: \(reason)."
        case .unknown(let path, let text): "\(path) cannot be imported: \(text)"
        case .malformed(let path, let fault): "\(path), \(fault)"
        case .capture(let failure): failure.description
        }
    }
}

/// Where a file is malformed: what was expected there, and what came.
package struct ImportFault: Error, Equatable, CustomStringConvertible {
    /// Bytes before the place.
    package let offset: Int64
    /// Line and column, both from 1; `nil` in a file that has no lines.
    package let place: TextPlace?
    /// What should be there.
    package let expected: String
    /// What is there.
    package let found: String

    /// One line.
    package var description: String {
        let byte = place.map { "line \($0.line), column \($0.column) (byte \(offset))" } ?? "byte \(offset)"
        return "\(byte): expected \(expected), found \(found)"
    }
}

/// A place in a text.
package struct TextPlace: Equatable, Sendable {
    /// The line, from 1.
    package var line: Int64
    /// The column in bytes, from 1.
    package var column: Int64
}

/// Why one exchange of a file is left out.
struct ImportRefusal: Error, Equatable {
    /// What was expected and what came, as a part of a sentence.
    let reason: String

    init(_ reason: String) { self.reason = reason }

    init(_ what: String, expected: String, found: JSONFact) {
        reason = "\(what): expected \(expected), found \(found.summary)"
    }
}

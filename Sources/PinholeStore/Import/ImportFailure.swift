import PinholeModel

/// The reason why a file cannot be imported, or not to its end.
package enum ImportFailure: Error, Equatable, CustomStringConvertible {
    /// The file system refused, for the given reason.
    case system(path: String, String)
    /// The file has no known format; the text describes it and has the remedy.
    case unknown(path: String, String)
    /// The file is malformed in one place.
    case malformed(path: String, ImportFault)
    /// The capture cannot be written.
    case capture(CaptureFailure)

    /// The message, in one or two sentences: the place, the expectation, the finding, and the remedy.
    package var description: String {
        switch self {
        case .system(let path, let reason): "\(path) cannot be read: \(reason)."
        case .unknown(let path, let text): "\(path) cannot be imported: \(text)"
        case .malformed(let path, let fault): "\(path), \(fault)"
        case .capture(let failure): failure.description
        }
    }
}

/// The place at which a file is malformed, with the expectation and the finding.
package struct ImportFault: Error, Equatable, CustomStringConvertible {
    /// The number of bytes before the place.
    package let offset: Int64
    /// The line and the column, both from 1; `nil` in a binary file.
    package let place: TextPlace?
    /// The expectation, for the message after “expected”.
    package let expected: String
    /// The finding, for the message after “found”.
    package let found: String

    /// The message, in one line.
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

/// The reason why one exchange of a file is left out.
struct ImportRefusal: Error, Equatable {
    /// The expectation and the finding, as a part of a sentence.
    let reason: String

    init(_ reason: String) { self.reason = reason }

    init(_ what: String, expected: String, found: JSONValue) {
        reason = "\(what): expected \(expected), found \(found.summary)"
    }
}

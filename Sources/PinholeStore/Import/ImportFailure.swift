import PinholeFiles
package import PinholeModel

/// The reason why a file cannot be imported, or not to its end.
package enum ImportFailure: Error, Equatable, CustomStringConvertible {
    /// The file system refused, for the given reason.
    case system(path: String, String)
    /// The file has no known format; the text describes it and has the remedy.
    case unknown(path: String, String)
    /// The file is malformed in one place.
    case malformed(path: String, SyntaxFault)
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

/// The reason why one exchange of a file is left out.
struct ImportRefusal: Error, Equatable {
    /// The expectation and the finding, as a part of a sentence.
    let reason: String

    init(_ reason: String) { self.reason = reason }

    init(_ what: String, expected: String, found: JSONValue) {
        reason = "\(what): expected \(expected), found \(found.summary)"
    }
}

extension ByteSource {
    /// Opens a file; “-” is standard input.
    convenience init(path: String) throws(ImportFailure) {
        let file: InputFile
        do throws(InputFailure) {
            file = try path == "-" ? InputFile.standardInput() : InputFile(path, asStream: true)
        } catch {
            throw .system(path: path, error.reason)
        }
        var piece = [UInt8](repeating: 0, count: 256 << 10)
        self.init {
            do throws(InputFailure) {
                let count = try file.read(into: &piece)
                return piece.prefix(count)
            } catch {
                throw ImportFailure.system(path: path, error.reason)
            }
        }
    }

    /// The failure of the file system that ended reading; the file then looks as if it ended there.
    var importFailure: ImportFailure? { failure as? ImportFailure }
}

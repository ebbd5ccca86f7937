/// The reason why a capture cannot be opened, read or written.
package enum CaptureFailure: Error, Equatable, CustomStringConvertible {
    /// The file is not a capture; the text describes what it is.
    case notCapture(path: String, String)
    /// The file was written by a newer Pinhole.
    case newerSchema(path: String, found: Int64, known: Int64)
    /// The file contains a value that Pinhole cannot have written.
    case wrongValue(path: String, StoredValueFault)
    /// Another process records into the file.
    case inUse(path: String)
    /// A capture to be copied was already copied, or is the target itself.
    case repeated(path: String, same: String)
    /// The file does not exist.
    case missing(path: String)
    /// Another account could read, change or replace the file; the text is the command that corrects this.
    case exposed(String, remedy: String)
    /// The file system refused, for the given reason.
    case system(path: String, String)
    /// SQLite refused, for the given reason.
    case database(path: String, String)
    /// The operation was cancelled.
    case cancelled
    /// An export cannot be written, for the given reason.
    case output(String)

    /// The message, in one or two sentences: the finding, the expectation, and the remedy.
    package var description: String {
        switch self {
        case .notCapture(let path, let found):
            "\(path) is not a Pinhole capture: \(found). Name another file, or move this one away. "
                + "A recording of another program becomes a capture by: pinhole flows import FILE --into NEW.sqlite"
        case .newerSchema(let path, let found, let known):
            "\(path) has schema \(found), and this Pinhole knows schemas up to \(known). "
                + "Use the newer Pinhole that wrote it, or name another file."
        case .wrongValue(let path, let fault):
            "\(path) holds a value that Pinhole did not write: \(fault). \(fault.remedy(path))"
        case .inUse(let path):
            "\(path) is being recorded into by another Pinhole. Stop that one, or name another file."
        case .repeated(let path, let same):
            path == same
                ? "\(path) was named twice, or is what is copied into; name each capture once."
                : "\(path) is the same capture as \(same), so everything would be there twice; name one of them."
        case .missing(let path):
            "\(path) does not exist. Record something first, or name another capture."
        case .exposed(let problem, let remedy): "\(problem). To fix it: \(remedy)"
        case .system(let path, let reason):
            "\(path) cannot be opened: \(reason). Check the directory and its mode."
        case .database(let path, let reason):
            "\(path) cannot be used: \(reason)."
        case .cancelled:
            "It was cancelled."
        case .output(let reason):
            "The output cannot be written: \(reason)."
        }
    }
}

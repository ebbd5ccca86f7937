import PinholeFiles
import PinholeModel
import PinholeSession

/// A file that a command writes.
enum OutputFile {
    /// Writes a file.
    ///
    /// - Parameters:
    ///   - bytes: The content.
    ///   - path: The file; its old content is replaced.
    ///   - isNew: Whether the file must not exist yet.
    /// - Throws: ``CommandFailure`` with the path and the reason of the system.
    static func write(_ bytes: [UInt8], to path: String, isNew: Bool = false) throws(CommandFailure) {
        try CommandFailure.wrapping("could not write \(path)") {
            try File.write(bytes, to: path, isNew: isNew)
        }
    }
}

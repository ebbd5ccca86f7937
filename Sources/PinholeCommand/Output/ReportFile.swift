import Glibc
import PinholeFiles
import PinholeSession

/// A file that a report is written to.
enum ReportFile {
    /// The working directory, to which the names of files in reports are relative.
    static var workingDirectory: String { FilePath.workingDirectory }

    /// Checks a path before a long run, so that the user does not wait for a report that cannot be written.
    ///
    /// - Parameter path: The file.
    /// - Throws: ``CommandFailure`` if the path is a folder, or if no file can be written there.
    static func checkMayWrite(_ path: String) throws(CommandFailure) {
        let kind = File.kind(of: path)
        let folder = FilePath.folder(of: path)
        let place = kind != nil ? path : folder.isEmpty ? "." : folder
        guard kind != .folder, access(place, W_OK) == 0 else {
            let reason = kind == .folder ? "it is a folder" : "\(Errno.current)"
            throw CommandFailure("could not write \(path): \(reason)")
        }
    }

    /// Writes a report.
    ///
    /// - Parameters:
    ///   - text: The report.
    ///   - path: The file; “-” for standard output.
    /// - Throws: ``CommandFailure`` when it cannot be written.
    static func write(_ text: String, to path: String) throws(CommandFailure) {
        guard path != "-" else {
            let lines = text.hasSuffix("\n") ? text : text + "\n"
            guard FileDescriptorOutput.write(Array(lines.utf8), to: STDOUT_FILENO) || errno == EPIPE
            else {
                let reason = String(cString: strerror(errno))
                throw CommandFailure("standard output could not be written: \(reason)")
            }
            return
        }
        try OutputFile.write(Array(text.utf8), to: path)
    }
}

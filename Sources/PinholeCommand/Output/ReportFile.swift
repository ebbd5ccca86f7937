import Foundation
import Glibc
import PinholeFiles

/// A file that a report is written to.
enum ReportFile {
    /// The working directory, to which the names of files in reports are relative.
    static var workingDirectory: String { FileManager.default.currentDirectoryPath }

    /// Checks a path before a long run, so that the user does not wait for a report that cannot be written.
    ///
    /// - Parameter path: The file.
    /// - Throws: ``CommandFailure`` for a folder, and for a place where nothing can be written.
    static func checkMayWrite(_ path: String) throws(CommandFailure) {
        var isDirectory: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
        let folder = FilePath.folder(of: path)
        let place = exists ? path : folder.isEmpty ? "." : folder
        guard !isDirectory.boolValue, access(place, W_OK) == 0 else {
            let reason = isDirectory.boolValue ? "it is a folder" : String(cString: strerror(errno))
            throw CommandFailure(.couldNotRun, "could not write \(path): \(reason)")
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
            guard FileDescriptorOutput.write(Array("\(text)\n".utf8), to: STDOUT_FILENO) || errno == EPIPE
            else {
                let reason = String(cString: strerror(errno))
                throw CommandFailure(.couldNotRun, "standard output could not be written: \(reason)")
            }
            return
        }
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        } catch {
            throw CommandFailure(.couldNotRun, "could not write \(path): \(error.localizedDescription)")
        }
    }
}

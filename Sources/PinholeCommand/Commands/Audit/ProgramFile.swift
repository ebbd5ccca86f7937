import Foundation

/// The file that an audited command is about: the program, or the script that an interpreter is given.
enum ProgramFile {
    /// The first word that names a file below a directory.
    ///
    /// - Parameters:
    ///   - command: The words of the command.
    ///   - directory: The directory; the one that the command runs in.
    /// - Returns: The file's path from the directory on; `nil` where no word names one.
    static func path(
        of command: [String],
        below directory: String = FileManager.default.currentDirectoryPath
    ) -> String? {
        let root = URL(fileURLWithPath: directory, isDirectory: true).standardizedFileURL.path
        let prefix = root.hasSuffix("/") ? root : "\(root)/"
        for word in command where !word.isEmpty {
            let url = URL(fileURLWithPath: word, relativeTo: URL(fileURLWithPath: root, isDirectory: true))
            let path = url.standardizedFileURL.path
            var isDirectory: ObjCBool = false
            guard path.hasPrefix(prefix),
                FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory),
                !isDirectory.boolValue
            else { continue }
            return String(path.dropFirst(prefix.count))
        }
        return nil
    }
}

import PinholeFiles

/// Finds the file that an audited command runs: the program, or the script of an interpreter.
enum ProgramFile {
    /// Returns the first word that names a file below a directory.
    ///
    /// - Parameters:
    ///   - command: The words of the command.
    ///   - directory: The directory in which the command runs.
    /// - Returns: The path of the file relative to the directory; `nil` if no word names one.
    static func path(
        of command: [String],
        below directory: String = FilePath.workingDirectory
    ) -> String? {
        let root = FilePath.absolute(directory)
        let prefix = root.hasSuffix("/") ? root : "\(root)/"
        for word in command where !word.isEmpty {
            let path = FilePath.absolute(word, in: root)
            guard path.hasPrefix(prefix), let kind = File.kind(of: path), kind != .folder else { continue }
            return String(path.dropFirst(prefix.count))
        }
        return nil
    }
}

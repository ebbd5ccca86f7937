/// A document that the user names, and the files that it may name itself.
///
/// The document may name files in its own folder and in the folders that the user adds. Standard input and the pipes of
/// a shell have no folder, so a document from there may name files in the added folders alone.
package struct DocumentFile {
    /// The open document.
    package let input: InputFile
    /// The files that the document may name.
    package let files: FileAccess

    /// Opens a document.
    ///
    /// A document that is a symbolic link is read only if the link stays in the folder of the document, in the working
    /// directory, or in one of the added folders. Else a link in somebody else's files could make Pinhole quote any
    /// file as if it were the document.
    ///
    /// - Parameters:
    ///   - path: The file; “-” is standard input.
    ///   - folders: The folders that the user added.
    ///   - tree: A folder around the document that the user named as a whole; `nil` for none.
    ///   - option: The flag or parameter that adds a folder, for messages.
    /// - Throws: ``InputFailure`` if the document or a folder cannot be opened.
    package init(
        _ path: String,
        allowing folders: [String] = [],
        within tree: String? = nil,
        option: StaticString = "--files"
    ) throws(InputFailure) {
        if Self.isPipe(path) {
            input = try InputFile(path == "-" ? "/dev/stdin" : path)
        } else if let input = try InputFile.withoutLink(path) {
            self.input = input
        } else {
            let folder = FilePath.folder(of: path)
            input = try FolderSet(folder, [], around: folders + ["."], option: "\(option)").document(path)
        }
        files = try Self.access(of: path, allowing: folders, within: tree, option: option)
    }

    /// Returns the files that a document may name, without opening the document.
    ///
    /// - Parameters:
    ///   - path: The file; “-” is standard input.
    ///   - start: A folder that the user added, at which relative names begin; `nil` for the document's own.
    ///   - folders: The other folders that the user added.
    ///   - tree: A folder around the document that the user named as a whole; `nil` for none.
    ///   - option: The flag or parameter that adds a folder, for messages.
    /// - Returns: The access.
    /// - Throws: ``InputFailure`` if a folder cannot be opened.
    package static func access(
        of path: String,
        startingAt start: String? = nil,
        allowing folders: [String] = [],
        within tree: String? = nil,
        option: StaticString = "--files"
    ) throws(InputFailure) -> FileAccess {
        let own = isPipe(path) ? nil : FilePath.folder(of: path)
        let all = [start, own].compactMap(\.self) + folders
        guard let first = all.first else {
            return .none(remedy: "a document from standard input may name files below --files DIR")
        }
        let around = [tree].compactMap(\.self)
        return .folders(try FolderSet(first, Array(all.dropFirst()), around: around, option: "\(option)"))
    }

    /// Reads the document to its end.
    ///
    /// - Parameter limit: The most bytes that it may have.
    /// - Returns: The content.
    /// - Throws: ``InputFailure`` if there are more bytes, or a pipe is silent.
    package func content(limit: Int = 4 << 20) throws(InputFailure) -> [UInt8] {
        try input.content(limit: limit)
    }

    /// Whether a path is an open descriptor of the process and not a file: standard input, or `<(…)` of a shell.
    package static func isPipe(_ path: String) -> Bool {
        path == "-" || path == "/dev/stdin" || path.hasPrefix("/dev/fd/") || path.hasPrefix("/proc/self/fd/")
    }
}

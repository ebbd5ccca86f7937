import ArgumentParser
import PinholeFiles
import PinholeModel
import PinholePolicies
import PinholeSession

/// The flag that lets documents name files outside of their own folder.
struct FilesOption: ParsableArguments {
    @Option(
        name: .customLong("files"),
        help: .value(
            "folder",
            "A folder whose files a document may name, besides its own folder; may be repeated."
        )
    )
    var folders: [String] = []

    /// Opens a document that the user names.
    ///
    /// - Parameters:
    ///   - path: The file; “-” is standard input.
    ///   - tree: A folder around the document that the user named as a whole; `nil` for none.
    /// - Returns: The document, and the files that it may name.
    /// - Throws: ``CommandFailure`` if the document or a folder cannot be opened.
    func document(_ path: String, within tree: String? = nil) throws(CommandFailure) -> DocumentFile {
        try CommandFailure.wrapping { try DocumentFile(path, allowing: folders, within: tree) }
    }

    /// Reads a policy that the user names.
    ///
    /// - Parameters:
    ///   - path: The file; “-” is standard input.
    ///   - options: The facts that the reader has to know beside the file.
    ///   - takesUnproven: Whether a file is taken that does not decide everything, or nothing at all.
    /// - Returns: The policy.
    /// - Throws: ``CommandFailure`` that names the fault of the file.
    func policy(
        _ path: String,
        options: PolicyFile.Options = PolicyFile.Options(),
        takesUnproven: Bool = false
    ) throws(CommandFailure) -> PolicyFile {
        let document = try document(path)
        return try CommandFailure.wrapping {
            try PolicyFile.read(
                document.content(),
                name: path == "-" ? "standard input" : path,
                options: options,
                files: document.files,
                takesUnproven: takesUnproven,
                takesUndecided: takesUnproven
            )
        }
    }
}

import Glibc
import PinholeFiles
import PinholeModel
import PinholePolicies
import PinholeSource
import PinholeTrust

/// The files below a folder that may hold pins, and the source code whose constants they use.
struct PolicyTree {
    /// Folders of tools, with copies and other people's code.
    private static let skipped: Set = [".git", ".build", ".gradle", "build", "node_modules", "Pods"]
    /// The largest file; those that people write are smaller.
    private static let bytes = 1 << 20
    /// The most bytes of source code that are kept for their constants.
    private static let sourceBytes = 256 << 20

    /// A candidate.
    struct File: Sendable {
        /// The way to it, beginning with the folder that was searched.
        let path: String
        /// Its bytes.
        let content: [UInt8]
    }

    /// The candidates in the order of their paths.
    private(set) var files: [File] = []
    /// The source code of the folder.
    var project: SourceProject { SourceProject(sources) }
    private var sources: [(name: String, bytes: [UInt8])] = []
    private var kept = 0
    private let search = PolicySearch()

    /// Finds the files; symbolic links are not followed.
    ///
    /// - Throws: ``PolicyFailure`` when the folder cannot be read.
    init(below folder: String) throws(PolicyFailure) {
        try PolicyFailure.wrapping("could not read the folder \(folder)") { try read(folder) }
    }

    private mutating func read(_ folder: String) throws(Errno) {
        let start = folder.hasSuffix("/") ? folder : folder + "/"
        for name in try Folder.names(in: folder).sorted() {
            let path = start + name
            var status = stat()
            guard lstat(path, &status) == 0 else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFDIR:
                // A folder that is closed to us has no files of ours.
                if !Self.skipped.contains(name) { try? read(path) }
            case S_IFREG:
                guard status.st_size <= Self.bytes,
                    let content = try? InputFile.content(of: path, limit: Self.bytes)
                else { continue }
                if search.mayHoldPins(content, named: name) || search.decidesTrust(content, named: name) {
                    files.append(File(path: path, content: content))
                }
                guard kept + content.count <= Self.sourceBytes, SourceLanguage(fileName: name) != nil else {
                    continue
                }
                kept += content.count
                sources.append((path, content))
            default: break
            }
        }
    }
}

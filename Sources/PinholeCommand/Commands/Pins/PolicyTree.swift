import Glibc
import PinholeFiles
import PinholeModel
import PinholePolicies
import PinholeRuntime
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
        /// The place by which the file is a candidate, if it has nothing that a reader knows.
        let decision: TrustWords.Place?
    }

    /// A file that was read.
    private struct Content: Sendable {
        let file: File
        let isCandidate: Bool
        let isSource: Bool
    }

    /// The candidates in the order of their paths.
    private(set) var files: [File] = []
    /// The source code of the folder.
    private(set) var sources: [(name: String, bytes: [UInt8])] = []
    /// The files that are read at the same time at most, as their bytes are kept until all of them are read.
    private static let batch = 128

    /// Finds the files; symbolic links are not followed.
    ///
    /// - Throws: ``PolicyFailure`` when the folder cannot be read.
    init(below folder: String) throws(PolicyFailure) {
        var paths: [String] = []
        try PolicyFailure.wrapping("could not read the folder \(folder)") { try Self.list(folder, &paths) }
        let search = PolicySearch()
        var kept = 0
        while !paths.isEmpty {
            let batch = Array(paths.prefix(Self.batch))
            paths.removeFirst(batch.count)
            let contents = CoreWork.results(for: batch, with: { search }, Self.read)
            for case .some(let content) in contents {
                let file = content.file
                if content.isCandidate { files.append(file) }
                guard content.isSource, kept + file.content.count <= Self.sourceBytes else { continue }
                kept += file.content.count
                sources.append((file.path, file.content))
            }
        }
    }

    /// Reads a file; `nil` for one that is neither a candidate nor source code.
    private static func read(_ path: String, _ search: PolicySearch) -> Content? {
        guard let content = try? InputFile.content(of: path, limit: bytes) else { return nil }
        let name = FilePath.name(of: path)
        let holdsPins = search.mayHoldPins(content, named: name)
        let decision = holdsPins ? nil : search.decision(in: content, named: name)
        let isCandidate = holdsPins || decision != nil
        let isSource = SourceLanguage(fileName: name) != nil
        guard isCandidate || isSource else { return nil }
        let file = File(path: path, content: content, decision: decision)
        return Content(file: file, isCandidate: isCandidate, isSource: isSource)
    }

    private static func list(_ folder: String, _ paths: inout [String]) throws(Errno) {
        let start = folder.hasSuffix("/") ? folder : folder + "/"
        for name in try Folder.names(in: folder).sorted() {
            let path = start + name
            var status = stat()
            guard lstat(path, &status) == 0 else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFDIR:
                // A folder that is closed to us has no files of ours.
                if !skipped.contains(name) { try? list(path, &paths) }
            case S_IFREG: if status.st_size <= bytes { paths.append(path) }
            default: break
            }
        }
    }
}

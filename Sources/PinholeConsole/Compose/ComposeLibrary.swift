import PinholeFiles
import PinholeLock
import PinholeModel
import PinholeSession

/// The files beside a capture with the requests of the page Compose: collections with variables, and the history.
///
/// Both files may hold credentials, so they are as private as the capture. Each request reads the files again: people
/// may edit them, and another console may show the same capture.
final class ComposeLibrary: Sendable {
    /// The maximum size of each file; the page reads all of it.
    private static let limit = 8 << 20

    /// The path of the file with collections and variables.
    let bookPath: String
    /// The path of the file with the history.
    let historyPath: String
    /// Raised after each change, so that other pages read the library again.
    let changes = ChangeSignal()
    /// Guards the steps from reading a file to replacing it.
    private let turn = Lock(())

    /// Creates the library of a capture; the files need not exist.
    init(beside capture: String) {
        let capture = FilePath.real(capture)
        bookPath = "\(capture).compose.json"
        historyPath = "\(capture).compose-history.json"
    }

    /// Returns collections and variables.
    func book() throws(Problem) -> RequestCollections {
        guard let value = try content(of: bookPath) else { return RequestCollections() }
        do throws(DocumentFailure) { return try RequestCollections(value) } catch {
            throw unreadable(bookPath, error)
        }
    }

    func history() throws(Problem) -> ComposeHistory {
        guard let value = try content(of: historyPath) else { return ComposeHistory() }
        do throws(DocumentFailure) {
            return try ComposeHistory(value)
        } catch {
            throw unreadable(historyPath, error)
        }
    }

    /// Changes collections or variables, and writes the file.
    func changeBook(_ change: (inout RequestCollections) throws(Problem) -> Void) throws(Problem) {
        try turn.withLock { (_: inout ()) throws(Problem) in
            var book = try book()
            try change(&book)
            do throws(DocumentFailure) {
                try book.check()
            } catch {
                throw Problem(422, "too much to keep", "\(error)", remedy: "remove something first")
            }
            let text = JSONText.laidOut(book.file)
            guard text.count <= Self.limit else {
                throw Problem(
                    413,
                    "too much to keep",
                    "expected at most \(Self.limit) bytes in all collections, found \(text.count)",
                    remedy: "remove requests with large bodies first"
                )
            }
            try write(text, to: bookPath)
        }
        changes.raise()
    }

    /// Changes the history, and writes the file without the oldest entries that make it too large.
    func changeHistory(_ change: (inout ComposeHistory) throws(Problem) -> Void) throws(Problem) {
        try turn.withLock { (_: inout ()) throws(Problem) in
            var history = try history()
            try change(&history)
            var text = JSONText.laidOut(history.file)
            while text.count > Self.limit, !history.entries.isEmpty {
                history.removeOldest()
                text = JSONText.laidOut(history.file)
            }
            try write(text, to: historyPath)
        }
        changes.raise()
    }

    /// Forgets the whole history, also one that cannot be read.
    func clearHistory() throws(Problem) {
        try turn.withLock { (_: inout ()) throws(Problem) in
            try write(JSONText.laidOut(ComposeHistory().file), to: historyPath)
        }
        changes.raise()
    }

    /// Reads a file; `nil` if there is none.
    ///
    /// Failures have the file's name alone: the students of a class do not see where the teacher's folders lie.
    private func content(of path: String) throws(Problem) -> JSONValue? {
        guard let kind = File.kind(of: path) else { return nil }
        // Reading a named pipe would wait for a writer.
        guard kind == .regular else {
            let detail = "\(FilePath.name(of: path)) is not a regular file"
            throw Problem(409, "the file cannot be used", detail, remedy: "move it away")
        }
        do throws(FileFault) {
            try FileGuard.current.check(path, .secret, holding: "composed requests")
        } catch {
            throw Problem(409, "the file cannot be used", error.problem, remedy: error.remedy)
        }
        let bytes: [UInt8]
        do throws(Errno) {
            bytes = try File.content(of: path, upTo: 2 * Self.limit)
        } catch {
            throw Problem(409, "the file cannot be read", "\(FilePath.name(of: path)): \(error)")
        }
        do throws(DocumentFailure) { return try JSONValue(parsing: bytes) } catch {
            throw unreadable(path, error)
        }
    }

    private func write(_ text: [UInt8], to path: String) throws(Problem) {
        do throws(Errno) {
            try File.replace(text, at: path, mode: 0o600)
        } catch {
            throw Problem(
                409,
                "nothing was kept",
                "\(FilePath.name(of: path)) cannot be written: \(error)",
                remedy: "collections lie beside the capture, so its folder has to be writable"
            )
        }
    }

    private func unreadable(_ path: String, _ failure: DocumentFailure) -> Problem {
        let detail = "\(failure.inFile(FilePath.name(of: path)))"
        return Problem(409, "the file cannot be read", detail, remedy: "correct or move the file")
    }
}

import Glibc
import PinholeFiles

/// The journal, the file beside a capture that holds its newest entries during a recording.
enum CaptureJournal {
    /// The ending that SQLite appends to the name of the capture.
    static let ending = "-wal"

    /// Whether there is a journal that is not empty.
    static func isPresent(beside path: String) -> Bool {
        var status = stat()
        return stat(path + ending, &status) == 0 && status.st_size > 0
    }

    /// Whether a rollback journal is one that no transaction of a capture leaves behind.
    ///
    /// SQLite waits for ever for a pipe. After a journal was rolled back whose end names a “super-journal”, that of a
    /// transaction of several databases, SQLite deletes the named file. A capture is never part of such a transaction, so
    /// the name would be that of any file of the user.
    ///
    /// - Returns: Whether it is from elsewhere; `false` if there is no journal.
    static func isForeign(_ path: String) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0 else { return false }
        guard status.st_mode & S_IFMT == S_IFREG else { return true }
        let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
        // A journal ends with its transaction, which may be in another process.
        guard let file = try? Descriptor(opening: path, flags: flags) else { return false }
        var ending = [UInt8](repeating: 0, count: magic.count)
        let start = status.st_size - off_t(ending.count)
        return start >= 0 && pread(file.number, &ending, ending.count, start) == ending.count
            && ending == magic
    }

    /// The bytes with which a journal begins, and with which the name at its end ends
    /// (https://sqlite.org/fileformat2.html#the_rollback_journal).
    private static let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]

    /// Returns the warning for a capture that was not closed and whose journal is missing.
    static func warning(_ path: String) -> String {
        """
        \(path) may lack its newest entries: it was still being recorded into, or Pinhole was killed, and the journal \
        \(path)\(ending) is not beside it. Copy both files, or stop the recording first, or let `pinhole flows save` \
        make the copy.
        """
    }
}

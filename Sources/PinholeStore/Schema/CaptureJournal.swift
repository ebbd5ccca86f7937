import Glibc

/// The journal, the file beside a capture that holds its newest entries during a recording.
enum CaptureJournal {
    /// The ending that SQLite appends to the name of the capture.
    static let ending = "-wal"

    /// Whether there is a journal that is not empty.
    static func isPresent(beside path: String) -> Bool {
        var status = stat()
        return stat(path + ending, &status) == 0 && status.st_size > 0
    }

    /// Returns the warning for a capture that was not closed and whose journal is missing.
    static func warning(_ path: String) -> String {
        """
        \(path) may lack its newest entries: it was still being recorded into, or Pinhole was killed, and the journal \
        \(path)\(ending) is not beside it. Copy both files, or stop the recording first, or let `pinhole flows save` \
        make the copy.
        """
    }
}

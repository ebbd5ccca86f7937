import Glibc

/// The file beside a capture in which its newest entries lie while somebody records.
enum CaptureJournal {
    /// What SQLite appends to the name of the capture.
    static let ending = "-wal"

    /// Whether there is one that holds something.
    static func isPresent(beside path: String) -> Bool {
        var status = stat()
        return stat(path + ending, &status) == 0 && status.st_size > 0
    }

    /// What is said of a capture that nobody has closed, and that lies alone.
    static func warning(_ path: String) -> String {
        """
        \(path) may lack its newest entries: it was still being recorded into, or Pinhole was killed, and the journal \
        \(path)\(ending) is not beside it. Copy both files, or stop the recording first, or let `pinhole flows save` \
        make the copy.
        """
    }
}

import Glibc

/// The right to record into a file: one process at a time.
///
/// The descriptor stays open for as long as SQLite uses the file and is closed after it: POSIX
/// locks, which SQLite uses, are dropped when any descriptor of the file is closed.
struct CaptureLock: ~Copyable {
    private let descriptor: Int32

    /// Creates the file with mode 0600 if it is not there, and takes the lock.
    init(path: String) throws(CaptureFailure) {
        // Read-write, so that a file that cannot be written is refused here and with the reason.
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY, 0o600)
        guard descriptor >= 0 else {
            throw .system(path: path, String(cString: strerror(errno)))
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw .inUse(path: path)
        }
    }

    deinit {
        // A child that was forked meanwhile and has not yet called exec holds the descriptor, too.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}

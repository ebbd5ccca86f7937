import Glibc
import PinholeFiles

/// The exclusive right of one process to record into a file.
///
/// The descriptor stays open as long as SQLite uses the file, and is closed after it. POSIX locks, which SQLite uses,
/// are lost when any descriptor of the file is closed.
struct CaptureLock: ~Copyable {
    private let descriptor: Int32

    /// Whether another process records into the file.
    static func isTaken(path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    /// Creates the file with mode 0600 if it is not there, and takes the lock.
    init(path: String) throws(CaptureFailure) {
        // A refused start must not leave an empty file behind.
        let refusal = access(path, F_OK) == 0 ? nil : Self.refusal(ofFolder: path)
        if let refusal { throw .exposed(refusal.problem, remedy: refusal.remedy) }
        // The file is opened for reading and writing, so that a read-only file is refused here and with the reason.
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY, 0o600)
        guard descriptor >= 0 else {
            throw .system(path: path, String(cString: strerror(errno)))
        }
        do throws(FileFault) {
            try Self.check(descriptor, path)
        } catch {
            close(descriptor)
            throw .exposed(error.problem, remedy: error.remedy)
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw .inUse(path: path)
        }
        // An initializer that throws after this line would run `deinit`, whose second `close` may meet a file
        // that another thread has opened meanwhile.
        self.descriptor = descriptor
    }

    /// Returns the reason why no file may be made in the folder of `path`; `nil` if one may.
    private static func refusal(ofFolder path: String) -> FileFault? {
        let folder = FilePath.folder(of: path)
        do throws(FileFault) {
            let place = folder.isEmpty ? "." : folder
            try FileGuard.current.check(place, .irreplaceable, holding: "what is recorded")
            return nil
        } catch {
            return error
        }
    }

    /// Refuses a file of another account, or one that others could read, write or replace.
    private static func check(_ descriptor: Int32, _ path: String) throws(FileFault) {
        let files = FileGuard.current
        try files.check(descriptor, path, .secret, holding: "what is recorded")
        // The journals are beside the file itself, not beside a link to it; SQLite opens them by that path.
        var real = path
        if let resolved = realpath(path, nil) {
            real = String(cString: resolved)
            free(resolved)
        }
        for suffix in ["-wal", "-shm", "-journal"] {
            try files.check(real + suffix, .secret, holding: "what is recorded")
        }
        let folder = real.lastIndex(of: "/").map { String(real[...$0]) } ?? "."
        try files.check(folder, .irreplaceable, holding: "what is recorded")
    }

    deinit {
        // A child that was forked meanwhile and has not yet called exec holds the descriptor, too.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Throws if the path no longer leads to the file: SQLite would keep writing to a file without a name.
    func check(_ path: String) throws(CaptureLoss) {
        var own = stat()
        var named = stat()
        guard fstat(descriptor, &own) == 0 else { return }
        guard stat(path, &named) == 0 else {
            // With another error, such as a denied search of the directory, the file still has its name.
            guard errno == ENOENT else { return }
            throw .gone
        }
        guard own.st_ino == named.st_ino, own.st_dev == named.st_dev else { throw .replaced }
    }
}

/// The way in which a file lost its name during the recording.
enum CaptureLoss: Error, Equatable, CustomStringConvertible {
    /// No file has its name.
    case gone
    /// Another file has its name.
    case replaced

    /// A part of a sentence.
    var description: String {
        switch self {
        case .gone: "it was deleted or moved away while it was recorded into"
        case .replaced: "another file has taken its place while it was recorded into"
        }
    }
}

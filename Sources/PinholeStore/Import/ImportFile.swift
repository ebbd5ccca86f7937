import Glibc
import Synchronization

/// A file that is received to be imported.
///
/// It lies beside the capture, where there is room for what comes of it, for its owner alone, and goes with this object.
package final class ImportFile: Sendable {
    /// Where it lies.
    package let path: String
    private let descriptor: Int32
    private let written = Atomic<Int64>(0)

    /// Creates an empty file.
    ///
    /// - Parameter capture: The capture beside which it lies.
    /// - Throws: ``CaptureFailure`` when there is no room for it.
    package init(beside capture: String) throws(CaptureFailure) {
        path = ScratchFile.path(for: .import, beside: capture)
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw .system(path: path, String(cString: strerror(errno)))
        }
    }

    deinit {
        ScratchFile.remove(path)
        close(descriptor)
    }

    /// Bytes that were received.
    package var size: Int64 { written.load(ordering: .relaxed) }

    /// Takes what comes next.
    ///
    /// - Parameter bytes: The bytes.
    /// - Throws: ``CaptureFailure`` when they cannot be written.
    package func append(_ bytes: ArraySlice<UInt8>) throws(CaptureFailure) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .system(path: path, String(cString: strerror(errno))) }
            rest = rest.dropFirst(count)
        }
        written.add(Int64(bytes.count), ordering: .relaxed)
    }

    /// Whether it is a database of SQLite, and so a capture if anything.
    var isDatabase: Bool {
        get throws(ImportFailure) {
            try ByteSource(path: path).lookAhead(16).starts(with: Array("SQLite format 3\0".utf8))
        }
    }
}

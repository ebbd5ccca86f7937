import Glibc
import PinholeModel
import Synchronization

/// A received file that will be imported.
///
/// The file is stored beside the capture, where there is room for the imported data. Only its owner can read it, and it
/// is deleted with this object.
package final class ImportFile: Sendable {
    /// The path of the file.
    package let path: String
    private let descriptor: Int32
    private let written = Atomic<Int64>(0)

    /// Creates an empty file.
    ///
    /// - Parameter capture: The capture beside which the file is stored.
    /// - Throws: ``CaptureFailure`` if the file cannot be created.
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

    /// The number of received bytes.
    package var size: Int64 { written.load(ordering: .relaxed) }

    /// Appends bytes.
    ///
    /// - Throws: ``CaptureFailure`` if they cannot be written.
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

    /// Whether the file is a SQLite database, and therefore possibly a capture.
    var isDatabase: Bool {
        get throws(ImportFailure) {
            try ByteSource(path: path).lookAhead(16).starts(with: Array("SQLite format 3\0".utf8))
        }
    }
}

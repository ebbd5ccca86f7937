import Glibc
import PinholeLock

/// A temporary capture beside another one, which is deleted with this object.
package final class ScratchCapture: Sendable {
    /// The path of the file, which is written first.
    package let path: String
    /// The descriptor that holds the mark of use; `nil` before the file was written.
    private let held = Lock<Int32?>(nil)

    /// Chooses a path.
    ///
    /// - Parameters:
    ///   - purpose: The purpose of the file.
    ///   - capture: The capture beside which the file is stored.
    package init(for purpose: ScratchFile.Purpose, beside capture: String) {
        path = ScratchFile.path(for: purpose, beside: capture)
    }

    deinit {
        ScratchFile.remove(path)
        if let descriptor = held.withLock(\.self) { close(descriptor) }
    }

    /// Marks the written file as in use, so that no other process removes it.
    ///
    /// - Returns: A descriptor for reading, which stays open as long as this object.
    /// - Throws: ``CaptureFailure`` if the file cannot be opened, or another process still writes it.
    @discardableResult
    package func hold() throws(CaptureFailure) -> Int32 {
        try held.withLock { held throws(CaptureFailure) in
            if let held { return held }
            let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
            guard descriptor >= 0 else { throw .system(path: path, String(cString: strerror(errno))) }
            guard flock(descriptor, LOCK_SH | LOCK_NB) == 0 else {
                let reason = String(cString: strerror(errno))
                close(descriptor)
                throw .system(path: path, reason)
            }
            held = descriptor
            return descriptor
        }
    }
}

import Glibc
import PinholeModel
import PinholeStore

/// A capture that is made to be handed out.
///
/// It lies beside the one that it is taken from, for its owner alone, and goes with this object.
final class SavedCapture: Sendable {
    private let path: String
    /// Holds a lock, which says that the file is not abandoned.
    private let descriptor: Int32

    private static let pieceBytes = 256 << 10

    /// Copies into a new capture.
    ///
    /// - Parameters:
    ///   - source: The capture that is copied from.
    ///   - filter: What of it.
    ///   - now: The time.
    ///   - isCancelled: Whether nobody waits for it any more.
    /// - Throws: ``CaptureFailure`` when it cannot be made.
    init(
        of source: String,
        _ filter: TrafficFilter,
        now: Timestamp,
        isCancelled: @escaping @Sendable () -> Bool
    ) throws(CaptureFailure) {
        path = ScratchFile.path(for: .export, beside: source)
        let copy = CaptureCopy(into: path, now: now)
        copy.isCancelled = isCancelled
        do throws(CaptureFailure) {
            _ = try copy.add(source, filter)
            try copy.finish()
            descriptor = open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0, flock(descriptor, LOCK_SH | LOCK_NB) == 0 else {
                throw .system(path: path, String(cString: strerror(errno)))
            }
        } catch {
            ScratchFile.remove(path)
            throw error
        }
    }

    deinit {
        ScratchFile.remove(path)
        close(descriptor)
    }

    /// Writes its bytes.
    ///
    /// - Parameter descriptor: Where to; it stays open.
    /// - Throws: ``CaptureFailure`` when reading or writing fails.
    func write(to descriptor: Int32) throws(CaptureFailure) {
        var output = FileOutput(descriptor)
        var piece = [UInt8](repeating: 0, count: Self.pieceBytes)
        while true {
            let count = read(self.descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .system(path: path, String(cString: strerror(errno))) }
            guard count > 0 else { return try output.flush() }
            try output.append(Array(piece.prefix(count)))
        }
    }
}

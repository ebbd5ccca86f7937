import Glibc
import PinholeFormats
import PinholeModel
import PinholeStore

/// A temporary capture that is made for a download.
final class SavedCapture: Sendable {
    private let file: ScratchCapture
    private let descriptor: Int32

    private static let pieceBytes = 256 << 10

    /// Copies the selected part of a capture into a new one.
    ///
    /// - Parameters:
    ///   - source: The capture to copy from.
    ///   - filter: The filter that selects what is copied.
    ///   - redaction: The way in which a redacted copy is made; `nil` to copy everything unchanged.
    ///   - now: The time.
    ///   - isCancelled: Whether the client no longer waits for the copy.
    /// - Throws: ``CaptureFailure`` if the capture cannot be made.
    init(
        of source: String,
        _ filter: TrafficFilter,
        _ redaction: Redaction?,
        now: Timestamp,
        isCancelled: @escaping @Sendable () -> Bool
    ) throws(CaptureFailure) {
        file = ScratchCapture(for: .export, beside: source)
        if let redaction {
            _ = try redaction.write(source, filter, to: file.path, now: now, isCancelled: isCancelled)
        } else {
            let copy = CaptureCopy(into: file.path, now: now)
            copy.isCancelled = isCancelled
            _ = try copy.add(source, filter)
            try copy.finish()
        }
        descriptor = try file.hold()
    }

    /// Writes the bytes of the file.
    ///
    /// - Parameter descriptor: The descriptor to write to; it stays open.
    /// - Throws: ``CaptureFailure`` when reading or writing fails.
    func write(to descriptor: Int32) throws(CaptureFailure) {
        var output = FileOutput(descriptor)
        var piece = [UInt8](repeating: 0, count: Self.pieceBytes)
        while true {
            let count = read(self.descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .system(path: file.path, String(cString: strerror(errno))) }
            guard count > 0 else { return try output.flush() }
            try output.append(Array(piece.prefix(count)))
        }
    }
}

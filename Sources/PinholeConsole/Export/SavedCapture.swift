import Glibc
import PinholeFormats
import PinholeModel
import PinholeSession
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
    /// - Throws: ``CaptureFailure`` if the capture cannot be made, or a problem if nothing is selected.
    init(
        of source: String,
        _ filter: TrafficFilter,
        _ redaction: Redaction?,
        now: Timestamp,
        isCancelled: @escaping @Sendable () -> Bool
    ) throws {
        file = ScratchCapture(for: .export, beside: source)
        let count: Int
        if let redaction {
            do throws(Redaction.Failure) {
                count = try redaction.write(
                    source,
                    filter,
                    to: file.path,
                    now: now,
                    isCancelled: isCancelled
                ).entries
            } catch {
                throw error.ofCapture
            }
        } else {
            let copy = CaptureCopy(into: file.path, now: now)
            copy.isCancelled = isCancelled
            count = try copy.add(source, filter)
            try copy.finish()
        }
        guard count > 0 else {
            throw Problem(404, "nothing is selected", "no exchange and no flow of the capture matches")
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

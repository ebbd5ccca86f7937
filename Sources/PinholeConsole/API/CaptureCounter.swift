import PinholeLock
import PinholeStore

/// Counts the entries of a capture: once completely, then only the new ones.
final class CaptureCounter: Sendable {
    private let known = Lock<CaptureExtent?>(nil)

    /// Returns the current extent of the capture.
    func extent(_ reader: CaptureReader) throws(CaptureFailure) -> CaptureExtent {
        let extent = try reader.extent(since: known.withLock { $0 })
        known.withLock { $0 = extent }
        return extent
    }
}

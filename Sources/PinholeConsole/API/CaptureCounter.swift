import PinholeLock
import PinholeStore

/// How much is in a capture: counted once, and then only what came.
final class CaptureCounter: Sendable {
    private let known = Lock<CaptureExtent?>(nil)

    /// The extent now.
    func extent(_ reader: CaptureReader) throws(CaptureFailure) -> CaptureExtent {
        let extent = try reader.extent(since: known.withLock { $0 })
        known.withLock { $0 = extent }
        return extent
    }

    /// Something was removed from the middle.
    func forget() { known.withLock { $0 = nil } }
}

import Glibc
import PinholeModel
import PinholeStore

/// A copy of a capture with tokens in place of its values, in a private directory that is removed with this object.
final class RedactedCopy {
    /// Reads the copy; `nil` if the filter selects nothing.
    private(set) var reader: CaptureReader?
    private var directory = ""

    private var file: String { directory + "/redacted.sqlite" }

    /// Makes the copy.
    ///
    /// - Parameters:
    ///   - source: The capture.
    ///   - filter: The filter that selects exchanges and flows.
    ///   - ids: The only numbers that are copied; `nil` for all.
    ///   - redaction: The way in which the copy is made.
    /// - Throws: ``CaptureFailure`` if the copy cannot be made, or if a secret is left in it.
    init(
        of source: CaptureReader,
        _ filter: TrafficFilter,
        ids: [Int64]?,
        _ redaction: Redaction
    ) throws(CaptureFailure) {
        let place = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(place)/pinhole-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw .system(path: place, String(cString: strerror(errno)))
        }
        directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        var filter = filter
        if let ids {
            filter.exchanges.among = ids.map(ExchangeID.init(rawValue:))
            filter.flows?.among = ids.map(FlowID.init(rawValue:))
        }
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let time = Timestamp(seconds: Int64(now.tv_sec))
        let summary: Redaction.Summary
        do throws(Redaction.Failure) {
            summary = try redaction.write(source.path, filter, to: file, now: time)
        } catch {
            throw error.ofCapture
        }
        if summary.entries > 0 { reader = try CaptureReader(path: file) }
    }

    deinit {
        reader = nil
        for ending in ["", "-wal", "-shm"] { unlink(file + ending) }
        if !directory.isEmpty { rmdir(directory) }
    }
}

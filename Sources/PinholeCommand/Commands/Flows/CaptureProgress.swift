import PinholeSession
import PinholeStore

/// The progress of work that reads a capture from its oldest entry to its newest one, perhaps several times.
struct CaptureProgress {
    private let line: ProgressLine
    private let name: String
    /// The numbers of the oldest and the newest entry.
    private let ends: (first: Int64, last: Int64)
    private let readings: Int64

    /// Starts the clock.
    ///
    /// - Parameters:
    ///   - name: The file that is shown beside the progress.
    ///   - reader: The capture that is read.
    ///   - readings: The number of times that the capture is read.
    ///   - isWanted: Whether the progress is shown; it would stand between results on the same terminal.
    /// - Throws: ``CaptureFailure`` when the capture cannot be read.
    init(
        _ name: String,
        of reader: CaptureReader,
        readings: Int64 = 1,
        isWanted: Bool = true
    ) throws(CaptureFailure) {
        let extent = try reader.extent()
        self.readings = readings
        self.name = name
        ends = (extent.first, extent.last)
        line = ProgressLine(isWanted: isWanted)
    }

    /// Shows the progress.
    ///
    /// - Parameters:
    ///   - count: The number of entries that were written.
    ///   - id: The number of the entry that was read last.
    func tell(_ count: Int, _ id: Int64) { tell(count, id, 0) }

    /// Shows the progress of one of several readings, numbered from 0.
    func tell(_ count: Int, _ id: Int64, _ reading: Int) {
        let length = ends.last - ends.first
        line.tell(
            Int64(reading) * length + id - ends.first,
            of: readings * length,
            "\(name): \(Plain.count(count, "entry", "entries"))"
        )
    }

    /// Erases the line.
    func end() { line.end() }
}

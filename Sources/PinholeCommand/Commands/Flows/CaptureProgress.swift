import PinholeSession
import PinholeStore

/// The progress of work that reads a capture from its oldest entry to its newest one.
struct CaptureProgress {
    private let line: ProgressLine
    private let name: String
    /// The numbers of the oldest and the newest entry.
    private let ends: (first: Int64, last: Int64)

    /// Starts the clock.
    ///
    /// - Parameters:
    ///   - name: The file that is shown beside the progress.
    ///   - reader: The capture that is read.
    ///   - isWanted: Whether the progress is shown; it would stand between results on the same terminal.
    /// - Throws: ``CaptureFailure`` when the capture cannot be read.
    init(_ name: String, of reader: CaptureReader, isWanted: Bool = true) throws(CaptureFailure) {
        let extent = try reader.extent()
        self.name = name
        ends = (extent.first, extent.last)
        line = ProgressLine(isWanted: isWanted)
    }

    /// Shows the progress.
    ///
    /// - Parameters:
    ///   - count: The number of entries that were written.
    ///   - id: The number of the entry that was read last.
    func tell(_ count: Int, _ id: Int64) {
        line.tell(
            id - ends.first,
            of: ends.last - ends.first,
            "\(name): \(Plain.count(count, "entry", "entries"))"
        )
    }

    /// Erases the line.
    func end() { line.end() }
}

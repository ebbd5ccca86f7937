package import PinholeModel
package import PinholeStore

/// A way to make a copy of a capture that may be handed on.
package enum Redaction: Sendable {
    /// Only structure stays, and the copy is proven.
    case structure(StructureRedaction.Options)
    /// Known secrets are replaced.
    case known(Redactor)

    /// Writes the copy.
    ///
    /// - Parameters:
    ///   - source: The capture.
    ///   - filter: The filter that selects exchanges and flows.
    ///   - target: The file of the copy, which must not exist.
    ///   - now: The time.
    ///   - isCancelled: Whether nobody waits for the copy any more.
    /// - Returns: The number of entries; without entries, no file was written.
    /// - Throws: ``CaptureFailure``, also if the copy cannot be proven.
    package func write(
        _ source: String,
        _ filter: TrafficFilter,
        to target: String,
        now: Timestamp,
        isCancelled: (@Sendable () -> Bool)? = nil
    ) throws(CaptureFailure) -> Int {
        switch self {
        case .structure(let options):
            var redaction = StructureRedaction(options, filter: filter)
            redaction.isCancelled = isCancelled
            do throws(StructureRedaction.Failure) {
                return try redaction.write(source, to: target, now: now).entries
            } catch {
                throw error.ofCapture
            }
        case .known(let redactor):
            var redaction = CaptureRedaction(redactor, filter: filter)
            do throws(CaptureRedaction.Failure) {
                return try redaction.write(source, to: target, now: now).entries
            } catch {
                throw error.ofCapture
            }
        }
    }
}

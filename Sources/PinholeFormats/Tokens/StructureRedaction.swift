package import PinholeModel
package import PinholeStore

/// Copies a capture with tokens in place of its values, and proves that nothing else is in the copy.
package struct StructureRedaction: Sendable {
    /// The choices of a user for one copy.
    package struct Options: Sendable, Equatable {
        /// Names of fields, parameters, cookies and members that stay, however often they occur.
        package var names: [String] = []
        /// Paths whose segments stay; `*` stands for a value.
        package var paths: [String] = []
        /// Whether the names of hosts become tokens, too.
        package var hidesHosts = false

        /// Creates the choices of a user who wants the least.
        package init() {}
    }

    private let options: Options
    private let filter: TrafficFilter
    /// Called while a capture is read; `true` ends the copying.
    package var isCancelled: (@Sendable () -> Bool)?

    /// Prepares a redaction.
    ///
    /// - Parameters:
    ///   - options: The choices of the user.
    ///   - filter: The filter that selects exchanges and flows.
    package init(_ options: Options, filter: TrafficFilter = TrafficFilter()) {
        self.options = options
        self.filter = filter
    }

    /// Writes the copy; if the proof fails, or on any failure, there is no copy.
    ///
    /// - Parameters:
    ///   - source: The capture.
    ///   - target: The file of the copy, which must not exist.
    ///   - now: The time.
    /// - Returns: What was done; without entries, no file was written.
    /// - Throws: `Redaction.Failure`.
    package func write(
        _ source: String,
        to target: String,
        now: Timestamp
    ) throws(Redaction.Failure) -> Redaction.Summary {
        var summary = Redaction.Summary()
        try Redaction.write(to: target) { draft, compact throws(Redaction.Failure) in
            do throws(CaptureFailure) {
                let isWhole = filter.isEverything && filter.exchanges.among == nil
                let hosts = try CaptureReader(path: source).hosts(isWhole ? nil : filter.exchanges)
                let redactor = ValueRedactor(options) { hosts.contains($0) }
                let records = StructureRecords(redactor)
                let copy = CaptureCopy(into: draft, now: now)
                copy.changes = records
                copy.isCancelled = isCancelled
                summary.entries = try copy.add(source, filter)
                try copy.finish()
                guard summary.entries > 0 else { return nil }
                summary.bodiesLeftOut = records.bodiesLeftOut
                try RedactedCapture.compact(draft, to: compact)
            } catch {
                throw .capture(error)
            }
            var proof = CaptureProof(options)
            let places = proof.findings(in: compact).map { "\($0.fault) in \($0.place)" }
            guard places.isEmpty else { throw .found("the proof failed", places: places) }
            return compact
        }
        return summary
    }
}

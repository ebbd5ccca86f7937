import Glibc
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

    /// The reason why no copy was made.
    package enum Failure: Error, CustomStringConvertible {
        /// The capture could not be read, or the copy could not be written.
        case capture(CaptureFailure)
        /// The proof found something that no list explains, at these places.
        case unproven([String])

        /// The failure as one of the capture.
        package var ofCapture: CaptureFailure {
            switch self {
            case .capture(let failure): failure
            case .unproven: .output(description)
            }
        }

        /// The reason in words.
        package var description: String {
            switch self {
            case .capture(let failure): return failure.description
            case .unproven(let places):
                let more = places.count > 5 ? ", and \(places.count - 5) more" : ""
                return "the proof failed, so nothing was written: " + places.prefix(5).joined(separator: "; ")
                    + more
            }
        }
    }

    /// The result of a redaction.
    package struct Summary: Sendable, Equatable {
        /// The number of exchanges and of flows without exchanges.
        package var entries = 0
        /// The number of bodies, parts and messages whose structure is not read, and which were left out.
        package var bodiesLeftOut = 0
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
    /// - Throws: ``Failure``.
    package func write(_ source: String, to target: String, now: Timestamp) throws(Failure) -> Summary {
        let draft = "\(target).\(getpid()).draft"
        let compact = "\(target).\(getpid()).compact"
        defer {
            for file in [draft, compact] {
                for ending in ["", "-wal", "-shm", "-journal"] { unlink(file + ending) }
            }
        }
        var summary = Summary()
        do throws(CaptureFailure) {
            guard access(target, F_OK) != 0 else { throw .output("\(target) exists; name another file") }
            let isWhole = filter.isEverything && filter.exchanges.among == nil
            let hosts = try CaptureReader(path: source).hosts(isWhole ? nil : filter.exchanges)
            let redactor = ValueRedactor(options) { hosts.contains($0) }
            let records = StructureRecords(redactor)
            let copy = CaptureCopy(into: draft, now: now)
            copy.changes = records
            copy.isCancelled = isCancelled
            summary.entries = try copy.add(source, filter)
            try copy.finish()
            guard summary.entries > 0 else { return summary }
            summary.bodiesLeftOut = records.bodiesLeftOut
            try RedactedCapture.compact(draft, to: compact)
        } catch {
            throw .capture(error)
        }
        var proof = CaptureProof(options)
        let findings = proof.findings(in: compact)
        guard findings.isEmpty else { throw .unproven(findings.map { "\($0.fault) in \($0.place)" }) }
        guard link(compact, target) == 0 else {
            throw .capture(.system(path: target, String(cString: strerror(errno))))
        }
        return summary
    }
}

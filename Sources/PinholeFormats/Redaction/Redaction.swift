import Glibc
package import PinholeModel
package import PinholeStore

/// A way to make a copy of a capture that may be handed on.
///
/// Either copy is searched for what must not be in it. That proves nothing about secrets that no list knows.
package enum Redaction: Sendable {
    /// Tokens stand in place of values, and the copy is proven.
    case structure(StructureRedaction.Options)
    /// Secrets that the redactor recognises are replaced, for `--known-only`.
    case known(Redactor)

    /// The reason why no copy was made.
    package enum Failure: Error, CustomStringConvertible {
        /// The capture could not be read, or the copy could not be written.
        case capture(CaptureFailure)
        /// The copy was deleted, because something was found at these places that must not be in it.
        case found(_ fault: String, places: [String])

        /// The failure as one of the capture.
        package var ofCapture: CaptureFailure {
            switch self {
            case .capture(let failure): failure
            case .found: .output(description)
            }
        }

        /// The reason in words.
        package var description: String {
            switch self {
            case .capture(let failure): return failure.description
            case .found(let fault, let places):
                let more = places.count > 5 ? ", and \(places.count - 5) more" : ""
                let shown = places.prefix(5).joined(separator: "; ")
                return "\(fault), so nothing was written: \(shown)\(more)"
            }
        }
    }

    /// The result of a redaction.
    package struct Summary: Sendable, Equatable {
        /// The number of exchanges and of flows without exchanges.
        package var entries = 0
        /// The number of bodies, parts and messages that could not be read, and were therefore left out.
        package var bodiesLeftOut = 0
        /// The number of different secrets of each kind, of a copy without known secrets.
        package var secrets: [Secret.Kind: Int] = [:]
        /// The number of secrets that are too common to be searched for, and were only replaced in their places.
        package var common = 0
    }

    /// Writes the copy; on any failure, there is no copy.
    ///
    /// - Parameters:
    ///   - source: The capture.
    ///   - filter: The filter that selects exchanges and flows.
    ///   - target: The file of the copy, which must not exist.
    ///   - now: The time.
    ///   - isCancelled: Whether nobody waits for the copy any more.
    /// - Returns: What was done; without entries, no file was written.
    /// - Throws: ``Failure``, also if the copy cannot be proven.
    package func write(
        _ source: String,
        _ filter: TrafficFilter,
        to target: String,
        now: Timestamp,
        isCancelled: (@Sendable () -> Bool)? = nil
    ) throws(Failure) -> Summary {
        var summary = Summary()
        try Self.write(to: target) { draft, compact throws(Failure) in
            let found: (fault: String, places: [String])
            do throws(CaptureFailure) {
                let copy = CaptureCopy(into: draft, now: now)
                copy.isCancelled = isCancelled
                switch self {
                case .structure(let options):
                    let isWhole = filter.isEverything && filter.exchanges.among == nil
                    let hosts = try CaptureReader(path: source).hosts(isWhole ? nil : filter.exchanges)
                    let records = StructureRecords(ValueRedactor(options) { hosts.contains($0) })
                    copy.changes = records
                    summary.entries = try copy.add(source, filter)
                    try copy.finish()
                    guard summary.entries > 0 else { return nil }
                    summary.bodiesLeftOut = records.bodiesLeftOut
                    try RedactedCapture.compact(draft, to: compact)
                    var proof = CaptureProof(options)
                    let places = proof.findings(in: compact).map { "\($0.fault) in \($0.place)" }
                    found = ("the proof failed", places)
                case .known(var redactor):
                    let reader = try CaptureReader(path: source)
                    try redactor.collect(filter.exchanges, reader)
                    redactor.prepare()
                    let records = RedactedRecords(redactor)
                    copy.changes = records
                    summary.entries = try copy.add(source, filter)
                    try copy.finish()
                    guard summary.entries > 0 else { return nil }
                    summary.bodiesLeftOut = records.bodiesLeftOut
                    for secret in redactor.collected { summary.secrets[secret.kind, default: 0] += 1 }
                    summary.common = redactor.collected.count - redactor.searched.count
                    found = ("secrets would be left", try redactor.leftovers(CaptureReader(path: draft)))
                }
            } catch {
                throw .capture(error)
            }
            guard found.places.isEmpty else { throw .found(found.fault, places: found.places) }
            if case .structure = self { return compact }
            return draft
        }
        return summary
    }

    /// Makes a file that gets its name only when it is complete and proven.
    ///
    /// - Parameters:
    ///   - target: The file, which must not exist.
    ///   - make: Writes the file at one of two paths, and returns it; `nil` for none.
    /// - Throws: ``Failure`` of `make`, or of the file.
    static func write(
        to target: String,
        _ make: (_ draft: String, _ compact: String) throws(Failure) -> String?
    ) throws(Failure) {
        let (draft, compact) = ("\(target).\(getpid()).draft", "\(target).\(getpid()).compact")
        defer {
            for file in [draft, compact] {
                for ending in ["", "-wal", "-shm", "-journal"] { unlink(file + ending) }
            }
        }
        guard access(target, F_OK) != 0 else {
            throw .capture(.output("\(target) exists; name another file"))
        }
        guard let file = try make(draft, compact) else { return }
        guard link(file, target) == 0 else {
            throw .capture(.system(path: target, String(cString: strerror(errno))))
        }
    }
}

import Dispatch
import PinholeLock
package import PinholeModel

/// Imports files into a capture, one after the other, on its own queue.
package final class ImportQueue: Sendable {
    private struct State {
        var jobs: [ImportJob] = []
        var cancelled: Set<Int64> = []
        var next: Int64 = 1
    }

    /// The largest number of files that are being imported or wait for it.
    package static let limit = 8
    /// The number of imports that are remembered.
    private static let kept = 30

    private let target: ImportTarget
    private let hostNames: @Sendable (String) -> String
    private let queue = DispatchQueue(label: "pinhole.import")
    private let state = Lock(State())

    /// Creates a queue.
    ///
    /// - Parameters:
    ///   - target: The capture to write to.
    ///   - hostNames: Converts host names to A-labels; without it, exchanges with names that are not ASCII are left
    ///     out.
    package init(_ target: ImportTarget, hostNames: @escaping @Sendable (String) -> String = { $0 }) {
        self.target = target
        self.hostNames = hostNames
        ScratchFile.removeAbandoned(beside: target.path)
    }

    /// The imports that are remembered, in the order of their requests.
    package var jobs: [ImportJob] { state.withLock(\.jobs) }

    /// The import with a number; `nil` if it is not remembered.
    package subscript(id: Int64) -> ImportJob? { state.withLock { $0.jobs.first { $0.id == id } } }

    /// Queues the import of a file.
    ///
    /// - Parameters:
    ///   - file: The file; it is deleted after the import.
    ///   - name: The name of the file, for the user.
    ///   - format: The format; `nil` to recognise it by its first bytes. A capture is recognised in any case.
    ///   - now: The moment to use for dates that cannot be read.
    ///   - other: The capture to write to; `nil` for that of the queue.
    /// - Returns: The import; `nil` if too many are waiting.
    package func begin(
        _ file: ImportFile,
        named name: String,
        format: ImportFormat?,
        now: Timestamp,
        into other: ImportTarget? = nil
    ) -> ImportJob? {
        let job = state.withLock { state -> ImportJob? in
            guard state.jobs.count(where: { !$0.isOver }) < Self.limit else { return nil }
            let job = ImportJob(id: state.next, name: name, bytes: file.size)
            state.next += 1
            state.jobs.append(job)
            if state.jobs.count > Self.kept, let first = state.jobs.firstIndex(where: \.isOver) {
                state.jobs.remove(at: first)
            }
            return job
        }
        if let job { queue.async { self.run(job, file, format, now, into: other ?? self.target) } }
        return job
    }

    /// Cancels an import; the entries that were read stay.
    ///
    /// - Parameter id: The number of the import.
    /// - Returns: Whether there is such an import.
    package func cancel(_ id: Int64) -> Bool {
        state.withLock { state in
            guard let index = state.jobs.firstIndex(where: { $0.id == id }) else { return false }
            if !state.jobs[index].isOver { state.cancelled.insert(id) }
            return true
        }
    }

    // MARK: On the queue

    private func run(
        _ job: ImportJob,
        _ file: ImportFile,
        _ format: ImportFormat?,
        _ now: Timestamp,
        into target: ImportTarget
    ) {
        change(job.id) { $0.state = .running }
        var failure: String?
        if !isCancelled(job.id) {
            do throws(ImportFailure) {
                if try file.isDatabase {
                    try copy(file, job, now, into: target)
                } else {
                    try read(file, job, format, now, into: target)
                }
            } catch {
                // The user knows the file only by the name that it had before.
                failure = error.description.replacing(file.path, with: job.name)
            }
        }
        let isCancelled = isCancelled(job.id)
        change(job.id) { job in
            job.state = isCancelled ? .cancelled : failure == nil ? .done : .failed
            job.failure = isCancelled ? nil : failure
            if job.state == .done { job.read = job.bytes }
        }
        state.withLock { _ = $0.cancelled.remove(job.id) }
    }

    private func read(
        _ file: ImportFile,
        _ job: ImportJob,
        _ format: ImportFormat?,
        _ now: Timestamp,
        into target: ImportTarget
    ) throws(ImportFailure) {
        let traffic = TrafficImport(into: target, now: now, hostNames: hostNames)
        traffic.goesOn = { [self] summary, offset in
            change(job.id) { job in
                job.read = offset
                job.exchanges = summary.exchanges
                job.leftOut = summary.leftOut
            }
            return !isCancelled(job.id)
        }
        var found: ImportFailure?
        do throws(ImportFailure) {
            try traffic.read(file.path, named: job.name, format: format)
        } catch {
            found = error
        }
        do throws(ImportFailure) {
            try traffic.finish()
        } catch {
            found = found ?? error
        }
        let summary = traffic.summary
        change(job.id) { job in
            job.exchanges = summary.exchanges
            job.leftOut = summary.leftOut
            job.remarks = summary.remarks
        }
        if let found { throw found }
    }

    private func copy(
        _ file: ImportFile,
        _ job: ImportJob,
        _ now: Timestamp,
        into target: ImportTarget
    ) throws(ImportFailure) {
        do throws(CaptureFailure) {
            let copy = CaptureCopy(into: target, now: now)
            copy.isCancelled = { [self] in isCancelled(job.id) }
            copy.tell = { [self] count, _ in change(job.id) { $0.exchanges = count } }
            var found: CaptureFailure?
            do throws(CaptureFailure) {
                _ = try copy.add(file.path, TrafficFilter())
            } catch {
                found = error
            }
            // The user knows the file only by the name that it had before.
            let warnings = copy.warnings.map { $0.replacing(file.path, with: job.name) }
            change(job.id) { $0.remarks = warnings }
            try copy.finish()
            if let found { throw found }
        } catch {
            throw .capture(error)
        }
    }

    private func isCancelled(_ id: Int64) -> Bool { state.withLock { $0.cancelled.contains(id) } }

    private func change(_ id: Int64, _ change: (inout ImportJob) -> Void) {
        state.withLock { state in
            guard let index = state.jobs.firstIndex(where: { $0.id == id }) else { return }
            change(&state.jobs[index])
        }
    }
}

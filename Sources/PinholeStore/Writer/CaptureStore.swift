import Dispatch
package import PinholeLock
package import PinholeModel
import Synchronization

/// A capture that is being recorded: one SQLite file, one writer.
///
/// Event loops append events to a list under a lock and continue. The writer, on a serial queue, takes the whole list
/// and writes it in one transaction. It does so at most ``Options/flushInterval`` after the first event was added, or
/// as soon as the list is large enough for a batch. No timer runs while the list is empty. After each change of the file,
/// ``changes`` tells the readers.
///
/// Back-pressure bounds the unwritten events. At ``Options/pendingBytes`` the store is congested and readers pause; at
/// half of it they continue.
package final class CaptureStore: FlowSink {
    /// The reaction to a file that cannot be written, mostly because of a full disk.
    package enum WhenFull: String, Sendable, Codable, CaseIterable {
        /// Recording stops with a clear message, and traffic continues.
        case stopCapture
        /// Traffic waits until the file can be written.
        case stopTraffic
    }

    /// The settings of a recording.
    package struct Options: Sendable {
        /// The file; it is created with mode 0600.
        package var path: String
        /// The limits on the age and size of the capture.
        package var retention = Retention()
        /// The number of unwritten bytes at which the proxy stops reading from peers.
        package var pendingBytes = 2 << 20
        /// The longest time before an event is written, and therefore the most that `kill -9` can lose.
        package var flushInterval = Duration.milliseconds(100)
        /// The flush interval while ``CaptureStore/changes`` has listeners; an event should be visible within 50 ms.
        package var heardFlushInterval = Duration.milliseconds(20)
        /// The reaction to a file that cannot be written.
        package var whenFull = WhenFull.stopCapture
        /// Whether new records may have begun before existing ones, as in an import or a merge.
        package var isUnordered = false
        /// The largest number of pages of the file, by which tests imitate a full disk; `nil` for no limit.
        package var maxPages: Int64?
        /// Called on the writer's queue with the events of each batch, once they are in the file.
        package var whenWritten: (@Sendable ([FlowEvent]) -> Void)?

        /// Creates options for the capture at `path`.
        package init(path: String) { self.path = path }
    }

    /// Raised after each change that lists show, and when recording stops or begins again.
    package let changes = ChangeSignal()
    private let options: Options
    private let onTrouble: @Sendable (CaptureProblem) -> Void
    private let queue = DispatchQueue(label: "pinhole.capture")
    private let writer: CaptureWriter
    private let ids: Atomic<Int64>
    private let congested = Atomic<Bool>(false)
    private let lost = Atomic<Int64>(0)
    private let lostEnds = Atomic<Int64>(0)
    private let waiting = Lock(Waiting())
    private let stopped = Lock<CaptureStandstill?>(nil)

    /// The number of bytes at which a batch is written without waiting for more.
    ///
    /// The number is large enough to spread the cost of a transaction, and takes little memory.
    private static let batchBytes = 512 << 10
    /// The interval in seconds at which the age of records is checked while nothing is recorded.
    private static let pruneSeconds = 60

    /// Whether another process records into the file at `path`.
    ///
    /// A process that has the capture open must not call this: closing the descriptor would release SQLite's locks.
    package static func isRecorded(at path: String) -> Bool { CaptureLock.isTaken(path: path) }

    /// Opens the capture, creating it if it does not exist.
    ///
    /// - Parameters:
    ///   - options: The settings of the recording.
    ///   - now: The time; retention counts from it.
    ///   - onTrouble: Called on the writer's queue with problems that the user must know.
    /// - Returns: The store, ready to record.
    /// - Throws: ``CaptureFailure`` if the file is not a capture, is too new, in use or not writable.
    package static func open(
        _ options: Options,
        now: Timestamp,
        onTrouble: @escaping @Sendable (CaptureProblem) -> Void = { _ in }
    ) throws(CaptureFailure) -> CaptureStore {
        let writer = try CaptureWriter(options, now: now)
        let store = CaptureStore(options, writer: writer, onTrouble: onTrouble)
        store.queue.async { store.pruneRegularly() }
        return store
    }

    private init(
        _ options: Options,
        writer: CaptureWriter,
        onTrouble: @escaping @Sendable (CaptureProblem) -> Void
    ) {
        self.options = options
        self.writer = writer
        self.onTrouble = onTrouble
        ids = Atomic(writer.lastID)
    }

    // Without this, a store that was not closed would leave the mark that a process records into the file.
    deinit { writer.close(lastID: ids.load(ordering: .relaxed)) }

    /// The path of the file.
    package var path: String { options.path }

    /// Notes that records from now on may have begun before existing ones.
    func noteDisorder() throws(CaptureFailure) {
        if let failure = queue.sync(execute: { writer.noteDisorder() }) { throw failure }
    }

    /// Returns a number that no other flow or exchange of this capture has.
    package func nextID() -> Int64 { ids.add(1, ordering: .relaxed).newValue }

    /// The number of events that were lost, because writing failed or the store was closed.
    package var lostEvents: Int64 { lost.load(ordering: .relaxed) }

    /// The number of ended exchanges among the lost events.
    package var lostExchanges: Int64 { lostEnds.load(ordering: .relaxed) }

    /// The start and the reason of a standstill; `nil` while writing works, or after ``close()``.
    ///
    /// Without traffic, no write reveals that the file was deleted. So each read of this property makes the
    /// writer look for the file, and a later read returns the result.
    package var standstill: CaptureStandstill? {
        queue.async { self.lookForFile() }
        return stopped.withLock(\.self)
    }

    /// Whether so much waits to be written that the proxy must stop reading from peers.
    package var isCongested: Bool { congested.load(ordering: .relaxed) }

    /// Records `events`, in order.
    package func record(_ events: [FlowEvent]) {
        let size = events.reduce(0) { $0 + $1.memorySize }
        let wake = waiting.withLock { waiting -> Waiting.Wake in
            guard waiting.phase != .closed else {
                noteLost(events)
                return .none
            }
            let wake = waiting.append(
                events,
                size: size,
                batch: min(Self.batchBytes, options.pendingBytes / 2)
            )
            if waiting.totalBytes >= options.pendingBytes { congested.store(true, ordering: .relaxed) }
            return wake
        }
        switch wake {
        case .none: break
        case .later:
            writeWaiting(after: changes.isHeard ? options.heardFlushInterval : options.flushInterval)
        case .now: queue.async { self.writeWaiting() }
        }
    }

    /// Runs `action` once, as soon as the store is not congested, which may be at once.
    package func whenRelieved(_ action: @escaping @Sendable () -> Void) {
        let runsNow = waiting.withLock { waiting in
            guard isCongested else { return true }
            waiting.append(action)
            return false
        }
        if runsNow { action() }
    }

    /// Writes all waiting events, and finishes retention that has begun, before it returns.
    package func flush() {
        queue.sync {
            writeWaiting()
            while pruneOnce() {}
        }
    }

    /// Returns when all events that were recorded before are in the file, or cannot be written.
    package func written() async {
        await withCheckedContinuation { continuation in
            queue.async {
                self.writeWaiting()
                continuation.resume()
            }
        }
    }

    /// Raises the page limit of the file, as if space had become free on a full disk.
    ///
    /// Only tests use it.
    package func allowPages(_ pages: Int64) { queue.sync { writer.allowPages(pages) } }

    /// Writes all waiting events, moves the journal into the file and closes it.
    ///
    /// Later events are not recorded, but counted as lost.
    package func close() {
        let relief = queue.sync {
            writeWaiting()
            let relief = refuse()
            writer.close(lastID: ids.load(ordering: .relaxed))
            return relief
        }
        for action in relief { action() }
    }
}

// The methods below run on the queue.
extension CaptureStore {
    private func writeWaiting(after delay: Duration) {
        queue.asyncAfter(deadline: .now() + .microseconds(Int(delay.microseconds))) { self.writeWaiting() }
    }

    private func writeWaiting() {
        var (events, isStuck) = waiting.withLock { ($0.take(), $0.phase == .stuck) }
        // A stuck store has to try again even without new events, to find out whether writing works again.
        guard !events.isEmpty || isStuck else { return }
        var hasNews = false
        do {
            hasNews = try writer.write(events)
        } catch {
            return handle(error, of: events)
        }
        options.whenWritten?(events)
        // The events are freed here, outside the lock.
        events.removeAll(keepingCapacity: true)
        let (before, relief) = waiting.withLock { [events] waiting in
            let before = waiting.finish(events)
            return (before, waiting.totalBytes <= options.pendingBytes / 2 ? relieve(&waiting) : [])
        }
        if before.wasReported {
            stopped.withLock { $0 = nil }
            onTrouble(.resumed(path: options.path))
        }
        if hasNews || before.wasReported { changes.raise() }
        if before.wasStuck { queue.async { self.writeWaiting() } }
        for action in relief { action() }
        prune()
    }

    /// Handles a batch that could not be written, as the user has configured.
    private func handle(_ error: any Error, of events: [FlowEvent]) {
        // Another program, perhaps a backup, holds the file. The batch is tried again; if that takes long, congestion
        // holds traffic back.
        if CaptureSchema.isBusy(error) { return retry(events, reporting: nil) }
        let standstill = CaptureStandstill(
            path: options.path,
            since: writer.now,
            isFinal: options.whenFull == .stopCapture,
            error: error
        )
        guard standstill.isFinal else { return retry(events, reporting: standstill) }
        noteLost(events)
        stopped.withLock { $0 = standstill }
        changes.raise()
        let relief = refuse()
        onTrouble(.stopped(standstill))
        for action in relief { action() }
    }

    /// Handles a missing file like a failed write, even if no batch has come since.
    private func lookForFile() {
        guard waiting.withLock({ $0.phase == .open }) else { return }
        do {
            try writer.lookForFile()
        } catch {
            handle(error, of: [])
        }
    }

    /// Keeps a batch and tries again after a second; a reported problem holds traffic back at once.
    private func retry(_ events: [FlowEvent], reporting standstill: CaptureStandstill?) {
        let isNew = waiting.withLock { waiting in
            if standstill != nil { congested.store(true, ordering: .relaxed) }
            return waiting.putBack(events, reporting: standstill != nil)
        }
        if isNew, let standstill {
            stopped.withLock { $0 = standstill }
            changes.raise()
            onTrouble(.stopped(standstill))
        }
        writeWaiting(after: .seconds(1))
    }

    /// Refuses events from now on, and returns the actions that waited for room.
    private func refuse() -> [@Sendable () -> Void] {
        waiting.withLock { waiting in
            noteLost(waiting.close())
            return relieve(&waiting)
        }
    }

    private func noteLost(_ events: [FlowEvent]) {
        let ends = events.count { event in
            if case .exchange(let record) = event { record.outcome != nil } else { false }
        }
        lost.add(Int64(events.count), ordering: .relaxed)
        lostEnds.add(Int64(ends), ordering: .relaxed)
    }

    private func relieve(_ waiting: inout Waiting) -> [@Sendable () -> Void] {
        congested.store(false, ordering: .relaxed)
        return waiting.takeActions()
    }

    /// Runs one step of retention; the next step comes after the work that was queued since.
    private func prune() {
        guard pruneOnce() else { return }
        queue.async { self.prune() }
    }

    /// Runs one step of retention; returns whether there are more.
    private func pruneOnce() -> Bool {
        let step = writer.prune()
        if step.removedRows { changes.raise() }
        return step.hasMore
    }

    /// Checks the age of the oldest records regularly, even if nothing is recorded.
    private func pruneRegularly() {
        prune()
        guard options.retention.maxAge != nil else { return }
        queue.asyncAfter(deadline: .now() + .seconds(Self.pruneSeconds)) { [weak self] in
            self?.pruneRegularly()
        }
    }
}

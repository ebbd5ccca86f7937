import Dispatch
import PinholeLock
package import PinholeModel
import Synchronization

/// A capture that is being recorded: one SQLite file, one writer.
///
/// Event loops append to a list under a lock and go on. The writer, one serial queue, takes the
/// whole list at most ``Options/flushInterval`` after its first event came, or as soon as it has
/// grown to a batch worth writing, and writes it in one transaction. No timer runs while nothing waits.
///
/// What waits is bounded by back-pressure: at ``Options/pendingBytes`` the store is congested,
/// readers pause, and at half of it they go on.
package final class CaptureStore: FlowSink {
    /// What to do when the file cannot be written (a full disk, mostly).
    package enum WhenFull: String, Sendable, Codable, CaseIterable {
        /// Stop recording with a loud message, and let traffic flow on.
        case stopCapture
        /// Let traffic wait until the file can be written.
        case stopTraffic
    }

    /// Where and how to record.
    package struct Options: Sendable {
        /// The file; it is created with mode 0600.
        package var path: String
        /// How much of the past is kept.
        package var retention = Retention()
        /// Bytes that may wait to be written before peers are no longer read from.
        package var pendingBytes = 2 << 20
        /// How long an event waits at most before it is written: what `kill -9` can take.
        package var flushInterval = Duration.milliseconds(100)
        /// What to do when the file cannot be written.
        package var whenFull = WhenFull.stopCapture
        /// Whether what is recorded may have begun before what is there: an import, a merge.
        package var isUnordered = false
        /// A bound for the file's pages, in which tests imitate a full disk; `nil` for none.
        package var maxPages: Int64?

        /// Creates options for the capture at `path`.
        package init(path: String) { self.path = path }
    }

    private let options: Options
    private let onTrouble: @Sendable (CaptureTrouble) -> Void
    private let queue = DispatchQueue(label: "pinhole.capture")
    private let writer: CaptureWriter
    private let ids: Atomic<Int64>
    private let congested = Atomic<Bool>(false)
    private let lost = Atomic<Int64>(0)
    private let waiting = Lock(Waiting())
    private let stopped = Lock<CaptureStandstill?>(nil)

    /// At this many bytes a batch is written without waiting for more: enough that the cost of a
    /// transaction is spread thin, and little memory.
    private static let batchBytes = 512 << 10
    /// How often age is looked at while nothing is recorded.
    private static let pruneSeconds = 60

    /// Whether another process records into the file at `path`.
    ///
    /// A process that has the capture open itself must not ask: SQLite's locks would be lost with the descriptor.
    package static func isRecorded(at path: String) -> Bool { CaptureLock.isTaken(path: path) }

    /// Opens the capture, creating it where there is none.
    ///
    /// - Parameters:
    ///   - options: Where and how to record.
    ///   - now: The time; retention counts from it.
    ///   - onTrouble: Is told, from the writer's queue, what the user must know.
    /// - Returns: The store, ready to record.
    /// - Throws: ``CaptureFailure`` when the file is no capture, too new, in use or not writable.
    package static func open(
        _ options: Options,
        now: Timestamp,
        onTrouble: @escaping @Sendable (CaptureTrouble) -> Void = { _ in }
    ) throws(CaptureFailure) -> CaptureStore {
        let writer = try CaptureWriter(options, now: now)
        let store = CaptureStore(options, writer: writer, onTrouble: onTrouble)
        store.queue.async { store.pruneRegularly() }
        return store
    }

    private init(
        _ options: Options,
        writer: CaptureWriter,
        onTrouble: @escaping @Sendable (CaptureTrouble) -> Void
    ) {
        self.options = options
        self.writer = writer
        self.onTrouble = onTrouble
        ids = Atomic(writer.lastID)
    }

    // A store that was not closed would leave the mark that a process records into the file.
    deinit { writer.close(lastID: ids.load(ordering: .relaxed)) }

    /// The file.
    package var path: String { options.path }

    /// Notes that what is recorded from now on may have begun before what is there.
    func noteDisorder() throws(CaptureFailure) {
        if let failure = queue.sync(execute: { writer.noteDisorder() }) { throw failure }
    }

    /// A number that no other flow or exchange of this capture has.
    package func nextID() -> Int64 { ids.add(1, ordering: .relaxed).newValue }

    /// How many events were not captured, because writing failed or the store was closed.
    package var lostEvents: Int64 { lost.load(ordering: .relaxed) }

    /// The start and the reason of a standstill; `nil` while writing works, or after ``close()``.
    ///
    /// Without traffic, no write reveals that the file was deleted. So each read of this property makes the
    /// writer look for the file, and a later read returns the result.
    package var standstill: CaptureStandstill? {
        queue.async { self.lookForFile() }
        return stopped.withLock(\.self)
    }

    /// Whether so much waits to be written that nothing more should be read from peers.
    package var isCongested: Bool { congested.load(ordering: .relaxed) }

    /// Records `events`, in order.
    package func record(_ events: [FlowEvent]) {
        let size = events.reduce(0) { $0 + $1.memorySize }
        let wake = waiting.withLock { waiting -> Waiting.Wake in
            guard waiting.phase != .closed else {
                lost.add(Int64(events.count), ordering: .relaxed)
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
        case .later: writeWaiting(after: options.flushInterval)
        case .now: queue.async { self.writeWaiting() }
        }
    }

    /// Runs `action` once, as soon as the sink is not congested; at once if it is not.
    package func whenRelieved(_ action: @escaping @Sendable () -> Void) {
        let runsNow = waiting.withLock { waiting in
            guard isCongested else { return true }
            waiting.append(action)
            return false
        }
        if runsNow { action() }
    }

    /// Writes what waits, and finishes what retention has begun; returns when it is done.
    package func flush() {
        queue.sync {
            writeWaiting()
            while writer.prune() {}
        }
    }

    /// Lets the file have more pages, as if room had been made on a full disk.
    ///
    /// For tests.
    package func allowPages(_ pages: Int64) { queue.sync { writer.allowPages(pages) } }

    /// Writes what waits, moves the journal into the file and closes it.
    ///
    /// What is recorded later is not captured, but counted.
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

// What runs on the queue.
extension CaptureStore {
    private func writeWaiting(after delay: Duration) {
        queue.asyncAfter(deadline: .now() + .microseconds(Int(delay.microseconds))) { self.writeWaiting() }
    }

    private func writeWaiting() {
        var (events, isStuck) = waiting.withLock { ($0.take(), $0.phase == .stuck) }
        // A stuck store has to try again even without new events, to find out whether writing works again.
        guard !events.isEmpty || isStuck else { return }
        do {
            try writer.write(events)
        } catch {
            return handle(error, of: events)
        }
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
        if before.wasStuck { queue.async { self.writeWaiting() } }
        for action in relief { action() }
        prune()
    }

    /// Acts on a batch that could not be written, as the user chose.
    private func handle(_ error: any Error, of events: [FlowEvent]) {
        // Another program holds the file, a backup perhaps. It is waited for; should that take long,
        // congestion holds traffic back.
        if CaptureSchema.isBusy(error) { return retry(events, reporting: nil) }
        let standstill = CaptureStandstill(
            path: options.path,
            since: writer.now,
            isFinal: options.whenFull == .stopCapture,
            error: error
        )
        guard standstill.isFinal else { return retry(events, reporting: standstill) }
        lost.add(Int64(events.count), ordering: .relaxed)
        stopped.withLock { $0 = standstill }
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

    /// Keeps a batch and tries again after a second; a trouble that is reported holds traffic back at once.
    private func retry(_ events: [FlowEvent], reporting standstill: CaptureStandstill?) {
        let isNew = waiting.withLock { waiting in
            if standstill != nil { congested.store(true, ordering: .relaxed) }
            return waiting.putBack(events, reporting: standstill != nil)
        }
        if isNew, let standstill {
            stopped.withLock { $0 = standstill }
            onTrouble(.stopped(standstill))
        }
        writeWaiting(after: .seconds(1))
    }

    /// Captures nothing from now on; returns who waited for room.
    private func refuse() -> [@Sendable () -> Void] {
        waiting.withLock { waiting in
            lost.add(Int64(waiting.close()), ordering: .relaxed)
            return relieve(&waiting)
        }
    }

    private func relieve(_ waiting: inout Waiting) -> [@Sendable () -> Void] {
        congested.store(false, ordering: .relaxed)
        return waiting.takeRelief()
    }

    /// Runs one step of retention; the next one comes after what has been queued since.
    private func prune() {
        guard writer.prune() else { return }
        queue.async { self.prune() }
    }

    /// Looks at the age of the oldest also when nothing is recorded.
    private func pruneRegularly() {
        prune()
        guard options.retention.maxAge != nil else { return }
        queue.asyncAfter(deadline: .now() + .seconds(Self.pruneSeconds)) { [weak self] in
            self?.pruneRegularly()
        }
    }
}

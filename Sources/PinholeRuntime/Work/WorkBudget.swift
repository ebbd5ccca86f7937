import Dispatch
import Glibc
import PinholeLock
package import PinholeModel
import Synchronization

/// Does work on behalf of others, on a few threads of its own, with bounds on processor time and time.
///
/// The threads are not those of the event loops and not those on which Swift runs other tasks, so nobody else waits for
/// the work. One piece of work runs on one thread, with all of its child tasks.
///
/// A piece that has used up its time is cancelled and its asker gets ``WorkFailure/tooLong(_:isProcessor:)``. Threads
/// cannot be stopped from outside, so long computations ask ``WorkMeter/isOver``.
package final class WorkBudget: Sendable {
    private struct State {
        var line: WorkSchedule
        var last = 0
        /// The actions that begin the pieces that wait.
        var begins: [Int: @Sendable (DispatchQueue, Int) -> Void] = [:]
    }

    private let bounds: WorkBounds
    private let state: Lock<State>
    /// A serial queue gets a thread of its own whenever it has something to do, however busy others are.
    private let threads: [DispatchQueue]

    /// Creates a budget.
    ///
    /// - Parameters:
    ///   - label: The name for debuggers.
    ///   - bounds: The bounds.
    package init(_ label: String, _ bounds: WorkBounds) {
        self.bounds = bounds
        state = Lock(State(line: WorkSchedule(bounds)))
        threads = (0..<bounds.threads).map { number in
            let queue = DispatchQueue(label: "\(label).\(number)", qos: .utility)
            queue.setSpecific(key: WorkRun.key, value: ObjectIdentifier(queue))
            return queue
        }
    }

    /// Does a piece of work as soon as it is its turn.
    ///
    /// - Parameters:
    ///   - user: The user that the work is for.
    ///   - isAbandoned: Whether nobody waits for the result any more.
    ///   - work: The work.
    /// - Returns: The result.
    /// - Throws: ``WorkFailure``, or the error of the work.
    package func perform<Value: Sendable>(
        for user: Admission.Holder,
        until isAbandoned: @escaping @Sendable () -> Bool = { false },
        _ work: @escaping @Sendable (WorkMeter) async throws -> Value
    ) async throws -> Value {
        let canceller = Canceller()
        return try await withTaskCancellationHandler {
            try await run(for: user, canceller, until: isAbandoned, work)
        } onCancel: {
            canceller.cancel()
        }
    }

    private func run<Value: Sendable>(
        for user: Admission.Holder,
        _ canceller: Canceller,
        until isAbandoned: @escaping @Sendable () -> Bool,
        _ work: @escaping @Sendable (WorkMeter) async throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let answer = Lock<CheckedContinuation<Value, any Error>?>(continuation)
            submit(for: user) { thread, number in
                let run = WorkRun(on: thread)
                let meter = WorkMeter(run, self.bounds.processorTime, isAbandoned)
                let task = Task(executorPreference: run) {
                    defer { self.end(number) }
                    let result: Result<Value, any Error>
                    do {
                        guard !isAbandoned() else { throw WorkFailure.abandoned }
                        let value = try await work(meter)
                        // Whatever was computed after the end of the time is incomplete.
                        if let failure = meter.failure { throw failure }
                        result = .success(value)
                    } catch {
                        result = .failure(meter.failure ?? error)
                    }
                    answer.withLock { $0.take() }?.resume(with: result)
                }
                canceller.begin {
                    meter.stop()
                    task.cancel()
                }
                let (limit, milliseconds) = (self.bounds.time, Int(self.bounds.time.milliseconds))
                DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
                    guard let waiting = answer.withLock({ $0.take() }) else { return }
                    meter.stop()
                    task.cancel()
                    waiting.resume(throwing: WorkFailure.tooLong(limit, isProcessor: false))
                }
            } refused: {
                answer.withLock { $0.take() }?.resume(throwing: WorkFailure.busy)
            }
        }
    }

    /// Does a piece of work that does not wait, as soon as it is its turn.
    ///
    /// - Returns: Whether the work will be done.
    func perform(for user: Admission.Holder, _ work: @escaping @Sendable () -> Void) -> Bool {
        let isTaken = Atomic<Bool>(true)
        submit(for: user) { thread, number in
            thread.async {
                work()
                self.end(number)
            }
        } refused: {
            isTaken.store(false, ordering: .relaxed)
        }
        return isTaken.load(ordering: .relaxed)
    }

    /// Begins a piece of work, lets it wait, or refuses it.
    private func submit(
        for user: Admission.Holder,
        _ begin: @escaping @Sendable (DispatchQueue, Int) -> Void,
        refused: () -> Void
    ) {
        let decision = state.withLock { state in
            state.last += 1
            let decision = state.line.add(state.last, for: user)
            if decision == .waits { state.begins[state.last] = begin }
            return decision
        }
        switch decision {
        case .begins(let thread): begin(threads[thread], thread)
        case .waits: break
        case .refused: refused()
        }
    }

    private func end(_ thread: Int) {
        let begins = state.withLock { state in
            state.line.end(on: thread).map { id, thread in (state.begins.removeValue(forKey: id), thread) }
        }
        for (begin, thread) in begins { begin?(threads[thread], thread) }
    }
}

/// Cancels a piece of work, as soon as it has begun.
private final class Canceller: Sendable {
    private let state = Lock((isCancelled: false, action: (@Sendable () -> Void)?.none))

    func begin(_ action: @escaping @Sendable () -> Void) {
        let isCancelled = state.withLock { state in
            state.action = action
            return state.isCancelled
        }
        if isCancelled { action() }
    }

    func cancel() {
        let action = state.withLock { state in
            state.isCancelled = true
            return state.action
        }
        action?()
    }
}

/// The processor time of a piece of work, which long computations ask.
package final class WorkMeter: Sendable {
    private let run: WorkRun
    private let limit: Duration
    private let isAbandoned: @Sendable () -> Bool
    private let isStopped = Atomic<Bool>(false)

    fileprivate init(_ run: WorkRun, _ limit: Duration, _ isAbandoned: @escaping @Sendable () -> Bool) {
        self.run = run
        self.limit = limit
        self.isAbandoned = isAbandoned
    }

    /// Whether the work must end now, since its time is over or nobody waits for it.
    package var isOver: Bool { isStopped.load(ordering: .relaxed) || failure != nil }

    fileprivate var failure: WorkFailure? {
        if isAbandoned() { return .abandoned }
        return run.used > limit ? .tooLong(limit, isProcessor: true) : nil
    }

    fileprivate func stop() { isStopped.store(true, ordering: .relaxed) }
}

/// Runs the jobs of one piece of work on the thread that it got, and measures their processor time.
private final class WorkRun: TaskExecutor {
    static let key = DispatchSpecificKey<ObjectIdentifier>()

    private let queue: DispatchQueue
    /// The nanoseconds of the jobs that have ended, and the time of the thread at which the current job began.
    private let ended = Atomic<Int64>(0)
    private let began = Atomic<Int64>(0)

    init(on queue: DispatchQueue) { self.queue = queue }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in
            began.store(ThreadTime.nanoseconds, ordering: .relaxed)
            job.runSynchronously(on: asUnownedTaskExecutor())
            ended.add(ThreadTime.nanoseconds - began.load(ordering: .relaxed), ordering: .relaxed)
        }
    }

    /// The processor time of the work so far; on another thread, without the current job.
    var used: Duration {
        let isHere = DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(queue)
        let current = isHere ? ThreadTime.nanoseconds - began.load(ordering: .relaxed) : 0
        return .nanoseconds(ended.load(ordering: .relaxed) + current)
    }
}

import CLinux
import Dispatch
import Glibc
import PinholeLock
import PinholeModel

/// Finds the programs on this machine that made connections, on its own thread.
final class ClientFinder: Sendable {
    private struct State {
        var waiting: [ClientQuestion] = []
        /// Whether a round is running.
        var isWorking = false
        /// The earliest time of a round for new questions.
        var begins = Timestamp(microseconds: 0)
        var planned: Plan?
        private var plans = 0

        /// Plans a round at `time`, unless one is running or an earlier one is planned.
        mutating func plan(at time: Timestamp) -> Plan? {
            if isWorking { return nil }
            if let planned, planned.time <= time { return nil }
            plans += 1
            planned = Plan(number: plans, time: time)
            return planned
        }
    }

    /// The time of the next round.
    ///
    /// Only the latest plan counts.
    private struct Plan {
        let number: Int
        let time: Timestamp
    }

    fileprivate struct Work {
        var search: ClientSearch
        var diagnosis: SocketDiagnosis?
        var isOpened = false
    }

    /// The largest number of waiting questions.
    ///
    /// A question beyond it is answered with `nil`.
    private static let mostWaiting = 1024

    private let clock: LoopClock
    private let queue = DispatchQueue(label: "pinhole.clients", qos: .utility)
    private let state = Lock(State())
    /// The search.
    ///
    /// Only the queue uses it.
    private let work: Lock<Work>

    /// Creates a finder that does nothing until the first question.
    ///
    /// - Parameters:
    ///   - clock: The time.
    ///   - table: The processes.
    init(clock: LoopClock, table: ProcessTable = ProcessTable()) {
        self.clock = clock
        let search = ClientSearch(table, user: geteuid()) {
            clock.now()
        } spent: {
            ThreadTime.used
        }
        work = Lock(Work(search: search))
    }

    /// Finds the program that made a connection.
    ///
    /// - Parameters:
    ///   - ends: The connection.
    ///   - answer: Receives the program on another thread; `nil` if it stays unknown.
    func find(_ ends: ConnectionEnds, _ answer: @escaping @Sendable (ClientProcess?) -> Void) {
        let now = clock.now()
        let (isTaken, plan) = state.withLock { state -> (Bool, Plan?) in
            guard state.waiting.count < Self.mostWaiting else { return (false, nil) }
            state.waiting.append(ClientQuestion(ends: ends, asked: now, answer: answer))
            return (true, state.plan(at: max(state.begins, now)))
        }
        if !isTaken { answer(nil) }
        if let plan { schedule(plan, now: now) }
    }

    /// Answers all questions that wait, after one more look at all processes.
    ///
    /// - Parameter done: Called after the last answer, on another thread.
    func finish(_ done: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            let questions = state.withLock { state in
                state.planned = nil
                defer { state.waiting = [] }
                return state.waiting
            }
            work.withLock { work in
                guard !questions.isEmpty || work.search.next != nil else { return }
                work.open()
                work.search.endRests()
                work.round(questions)
            }
            done()
        }
    }

    private func schedule(_ plan: Plan, now: Timestamp) {
        guard plan.time > now else { return queue.async { self.round(plan) } }
        let delay = DispatchTimeInterval.microseconds(Int(clamping: (plan.time - now).microseconds))
        queue.asyncAfter(deadline: .now() + delay) { self.round(plan) }
    }

    private func round(_ plan: Plan) {
        let questions = state.withLock { state -> [ClientQuestion]? in
            guard state.planned?.number == plan.number else { return nil }
            state.planned = nil
            state.isWorking = true
            defer { state.waiting = [] }
            return state.waiting
        }
        guard let questions else { return }
        let (next, nextForNew) = work.withLock { work -> (Timestamp?, Timestamp) in
            work.open()
            work.round(questions)
            return (work.search.next, work.search.nextForNew)
        }
        let following = state.withLock { state -> Plan? in
            state.isWorking = false
            state.begins = nextForNew
            return (state.waiting.isEmpty ? next : nextForNew).flatMap { state.plan(at: $0) }
        }
        if let following { schedule(following, now: clock.now()) }
    }
}

extension ClientFinder.Work {
    /// Opens the connection to the kernel, once.
    fileprivate mutating func open() {
        guard !isOpened else { return }
        isOpened = true
        diagnosis = try? SocketDiagnosis()
    }

    fileprivate mutating func round(_ questions: [ClientQuestion]) {
        search.round(questions) { [diagnosis] ends in diagnosis?.owner(of: ends) }
    }
}

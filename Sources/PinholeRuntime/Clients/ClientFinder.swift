import CLinux
import Dispatch
import Glibc
import PinholeLock
import PinholeModel

/// Finds out which programs on this machine made connections, on a thread of its own.
final class ClientFinder: Sendable {
    private struct State {
        var waiting: [ClientQuestion] = []
        /// Whether a round is under way.
        var isWorking = false
        /// When a round for new questions may begin.
        var begins = Timestamp(microseconds: 0)
        var planned: Plan?
        private var plans = 0

        /// Plans a round, unless one is under way, or comes as early.
        mutating func plan(at time: Timestamp) -> Plan? {
            if isWorking { return nil }
            if let planned, planned.time <= time { return nil }
            plans += 1
            planned = Plan(number: plans, time: time)
            return planned
        }
    }

    /// When a round is to begin; only the last one that was made counts.
    private struct Plan {
        let number: Int
        let time: Timestamp
    }

    fileprivate struct Work {
        var search: ClientSearch
        var diagnosis: SocketDiagnosis?
        var isOpened = false
    }

    /// Who asks beyond this gets no answer.
    private static let mostWaiting = 1024

    private let clock: LoopClock
    private let queue = DispatchQueue(label: "pinhole.clients", qos: .utility)
    private let state = Lock(State())
    /// Taken by the queue alone.
    private let work: Lock<Work>

    /// Looks into nothing until somebody asks.
    ///
    /// - Parameters:
    ///   - clock: The time.
    ///   - table: The processes.
    init(clock: LoopClock, table: ProcessTable = ProcessTable()) {
        self.clock = clock
        work = Lock(Work(search: ClientSearch(table, user: geteuid()) { clock.now() }))
    }

    /// Asks which program made a connection.
    ///
    /// - Parameters:
    ///   - ends: The connection.
    ///   - answer: Is told it, on another thread; `nil` where it stays unknown.
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
    /// Opens the way to the kernel, once.
    fileprivate mutating func open() {
        guard !isOpened else { return }
        isOpened = true
        diagnosis = try? SocketDiagnosis()
    }

    fileprivate mutating func round(_ questions: [ClientQuestion]) {
        search.round(questions) { [diagnosis] ends in diagnosis?.owner(of: ends) }
    }
}

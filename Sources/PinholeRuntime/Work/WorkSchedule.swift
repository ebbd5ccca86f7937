import PinholeModel

/// The order in which pieces of work get threads: one of a user at a time, and a bounded number waits.
///
/// The line is a plain value; ``WorkBudget`` runs the work.
struct WorkSchedule: Sendable {
    /// The answer to a new piece of work.
    enum Decision: Equatable, Sendable {
        /// The work begins on this thread.
        case begins(thread: Int)
        /// The work waits for its turn.
        case waits
        /// Too many wait: of all users, or of this one.
        case refused
    }

    private let bounds: WorkBounds
    private var free: [Int]
    private var running: [Int: Admission.Holder] = [:]
    private var waiting: [(id: Int, user: Admission.Holder)] = []

    init(_ bounds: WorkBounds) {
        self.bounds = bounds
        free = Array((0..<bounds.threads).reversed())
    }

    /// Adds a piece of work.
    mutating func add(_ id: Int, for user: Admission.Holder) -> Decision {
        if !running.values.contains(user), let thread = free.popLast() {
            running[thread] = user
            return .begins(thread: thread)
        }
        guard waiting.count < bounds.waiting, waiting.count(where: { $0.user == user }) < bounds.waitingOfUser
        else { return .refused }
        waiting.append((id, user))
        return .waits
    }

    /// Frees a thread, and returns the pieces of work that begin now.
    mutating func end(on thread: Int) -> [(id: Int, thread: Int)] {
        running[thread] = nil
        free.append(thread)
        var begun: [(Int, Int)] = []
        while !free.isEmpty,
            let index = waiting.firstIndex(where: { piece in !running.values.contains(piece.user) }),
            let thread = free.popLast()
        {
            let next = waiting.remove(at: index)
            running[thread] = next.user
            begun.append((next.id, thread))
        }
        return begun
    }

    /// Removes a piece of work that waits, because nobody wants its result any more.
    mutating func withdraw(_ id: Int) { waiting.removeAll { $0.id == id } }
}

/// The bounds on work on behalf of others.
package struct WorkBounds: Sendable, Equatable {
    /// The number of threads, and so the largest number of pieces of work at one time.
    package var threads: Int
    /// The largest number of pieces that wait, of all users together.
    package var waiting: Int
    /// The largest number of pieces that wait, of one user.
    package var waitingOfUser: Int
    /// The largest processor time of a piece.
    package var processorTime: Duration
    /// The longest time of a piece after its begin; it may wait for files, programs or the network.
    package var time: Duration

    /// The bounds of the checks, experiments and policies that a console or a class page is asked for.
    ///
    /// A check takes some tenths of a second of a processor. The check of a program waits for that program, which may
    /// take a minute. A class of thirty that begins at the same time fits into the line.
    package static let answers = WorkBounds(
        threads: 2,
        waiting: 64,
        waitingOfUser: 4,
        processorTime: .seconds(5),
        time: .seconds(120)
    )

    /// The bounds of requests for a page that read a user's files, or let an app log in.
    ///
    /// A page sends some of them at the same time, and none computes for long. They do not wait for a check of the same
    /// user, which may take a minute.
    package static let pages = WorkBounds(
        threads: 2,
        waiting: 256,
        waitingOfUser: 16,
        processorTime: .seconds(5),
        time: .seconds(30)
    )

    /// The bounds of commands that an agent runs, one after the other: processes of their own, which the budget ends.
    ///
    /// A run of the lab takes some ten seconds. An audit of a slow program takes some minutes.
    package static let commands = WorkBounds(
        threads: 1,
        waiting: 4,
        waitingOfUser: 4,
        processorTime: .seconds(60),
        time: .seconds(3600)
    )

    /// The bounds of a run of the lab, which its owner can cancel: a thread of its own, for a day.
    package static let lab = WorkBounds(
        threads: 1,
        waiting: 1,
        waitingOfUser: 1,
        processorTime: .seconds(86_400),
        time: .seconds(86_400)
    )

    /// The bounds of checking passwords, which takes some tenths of a second each.
    ///
    /// A browser sends one login on its connections, and programs of a user seldom have more than some.
    package static func logins(threads: Int) -> WorkBounds {
        WorkBounds(
            threads: threads,
            waiting: 64,
            waitingOfUser: 16,
            processorTime: .seconds(60),
            time: .seconds(60)
        )
    }
}

/// The reason why work on behalf of somebody was not done.
package enum WorkFailure: Error, Equatable, Sendable {
    /// Too much work waits already.
    case busy
    /// The work took longer than this time; `isProcessor` if that was processor time.
    case tooLong(Duration, isProcessor: Bool)
    /// Nobody waits for the result any more.
    case abandoned
}

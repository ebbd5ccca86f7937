import PinholeModel

/// Finds the programs that made connections, in rounds.
///
/// Each round answers all waiting questions.
///
/// A round looks into the processes that were clients last and into the newest ones, which may end at any
/// moment. Only if that is not enough, it looks into all processes. Each round is followed by a rest, so that
/// a load of connections costs a small part of a core. A question that waits for too long is answered with `nil`.
///
/// The kernel and the clocks are parameters.
struct ClientSearch {
    /// The rest after a round, as a multiple of its processor time: the search takes 4 % of one core in the long run.
    ///
    /// Wall time would count other programs, too: on a busy machine the search would rest until it gives up.
    static let rest = 25
    /// The most rest that the search may put off, so that it finds a few programs that begin one after the other.
    static let credit = Duration.milliseconds(500)
    /// The longest wait of a question.
    ///
    /// Long-lived programs still run by then, and short-lived ones are gone.
    static let patience = Duration.seconds(2)
    /// The number of clients that the search remembers.
    static let remembered = 8
    /// The number of last process numbers that the search tries first; the threads of a new program take some of them.
    static let newest: Int32 = 64

    private let table: ProcessTable
    private let user: UInt32
    private let clock: @Sendable () -> Timestamp
    private let spent: @Sendable () -> Duration
    /// The most ancestors of a process that the search tries, to find the process that opened the socket.
    private static let generations = 8
    /// The questions whose sockets are known, by the sockets' numbers.
    private var sought: [UInt32: ClientQuestion] = [:]
    /// The last clients, the latest first.
    private var recent: [Int32] = []
    /// The ends of the rests without credit: after rounds, and after looks at all processes.
    private var rested = Timestamp(microseconds: 0)
    private var restedFromScans = Timestamp(microseconds: 0)

    /// Creates a search that knows no clients.
    ///
    /// - Parameters:
    ///   - table: The processes.
    ///   - user: The user of this process. Only root may look into the processes of other users.
    ///   - clock: The time.
    ///   - spent: The processor time that the current thread has used.
    init(
        _ table: ProcessTable,
        user: UInt32,
        clock: @escaping @Sendable () -> Timestamp,
        spent: @escaping @Sendable () -> Duration
    ) {
        self.table = table
        self.user = user
        self.clock = clock
        self.spent = spent
    }

    /// The time of the next round; `nil` if no question waits.
    var next: Timestamp? { sought.isEmpty ? nil : max(rested, restedFromScans) - Self.credit }

    /// The earliest time of a round for new questions.
    var nextForNew: Timestamp { rested - Self.credit }

    /// Looks for the programs, as far as there is time.
    ///
    /// - Parameters:
    ///   - questions: The new questions.
    ///   - owner: Asks the kernel for the owner of a connection's socket.
    mutating func round(
        _ questions: [ClientQuestion],
        owner: (ConnectionEnds) -> SocketOwner?
    ) {
        let began = clock()
        let start = spent()
        for question in questions {
            guard began - question.asked < Self.patience, let owner = owner(question.ends),
                user == 0 || user == owner.user
            else {
                question.answer(nil)
                continue
            }
            sought.updateValue(question, forKey: owner.inode)?.answer(nil)
        }
        for pid in recent where !sought.isEmpty { look(into: pid) }
        lookIntoNewest()
        let looked = clock()
        let afterLook = spent()
        rested = max(rested, began) + (afterLook - start) * Self.rest
        guard !sought.isEmpty, looked >= restedFromScans - Self.credit else { return giveUp(at: looked) }
        for pid in table.numbers() where !sought.isEmpty && !recent.contains(pid) { look(into: pid) }
        // No process that this one may look into has these sockets.
        for question in sought.values { question.answer(nil) }
        sought = [:]
        restedFromScans = max(restedFromScans, looked) + (spent() - afterLook) * Self.rest
    }

    /// Lets the next round look into all processes, and answer every question.
    mutating func endRests() {
        rested = Timestamp(microseconds: 0)
        restedFromScans = rested
    }

    private mutating func lookIntoNewest() {
        guard !sought.isEmpty else { return }
        for number in table.newest(Self.newest) where !sought.isEmpty && !recent.contains(number) {
            look(into: number)
        }
    }

    /// Answers the questions whose sockets are open in a process or in one of its threads.
    private mutating func look(into number: Int32) {
        let found = table.sockets(of: number, most: sought.count) { sought[$0] != nil }
        guard !found.isEmpty, let family = table.family(of: number) else { return }
        answer(found, by: family, generations: Self.generations)
    }

    /// Answers with the eldest process that has the sockets.
    ///
    /// After a fork, a child shares its parent's sockets until it runs another program.
    private mutating func answer(_ sockets: [UInt32], by family: ProcessFamily, generations: Int) {
        var own = sockets
        if generations > 0, let parent = table.family(of: family.parent) {
            let shared = table.sockets(of: parent.leader, most: sockets.count, where: sockets.contains)
            if !shared.isEmpty { answer(shared, by: parent, generations: generations - 1) }
            own.removeAll(where: shared.contains)
        }
        // If a process has just ended, its parent may still have the sockets, and a later look finds them.
        guard !own.isEmpty, let process = table.process(family.leader) else { return }
        for inode in own { sought.removeValue(forKey: inode)?.answer(process) }
        recent.removeAll { $0 == family.leader }
        recent.insert(family.leader, at: 0)
        if recent.count > Self.remembered { recent.removeLast() }
    }

    private mutating func giveUp(at now: Timestamp) {
        for (inode, question) in sought where now - question.asked >= Self.patience {
            question.answer(nil)
            sought[inode] = nil
        }
    }
}

import PinholeModel

/// Finds the programs that made connections, round by round, each for all who ask.
///
/// A round looks into the processes that were clients last, then into the newest, which may end any moment, and only
/// where that is not enough into all of them. It is paid back by rest, so that a load of connections costs a small part of a core; who cannot be told in time is
/// told nothing.
///
/// The kernel and the clock are handed in.
struct ClientSearch {
    /// How much longer than it worked it rests: it takes 4 % of one core in the long run.
    static let rest = 25
    /// How much rest may be put off, so that a few programs that begin one after the other are all found.
    static let credit = Duration.milliseconds(500)
    /// Who waited for this long gets no answer: programs that are of interest still run by then, and the others are gone.
    static let patience = Duration.seconds(2)
    /// Clients that are remembered.
    static let remembered = 8
    /// Numbers of processes that are looked into first; a program that was started takes some with its threads.
    static let newest: Int32 = 64

    private let table: ProcessTable
    private let user: UInt32
    private let clock: @Sendable () -> Timestamp
    /// Those whose sockets are known, by the sockets' numbers.
    private var sought: [UInt32: ClientQuestion] = [:]
    /// The last clients, the latest first.
    private var recent: [Int32] = []
    /// Until when it would rest for what it did, without credit; for looks at all processes by themselves.
    private var rested = Timestamp(microseconds: 0)
    private var restedFromScans = Timestamp(microseconds: 0)

    /// Begins with nobody known.
    ///
    /// - Parameters:
    ///   - table: The processes.
    ///   - user: The user of this process: all but root may look into their own alone.
    ///   - clock: The time.
    init(_ table: ProcessTable, user: UInt32, clock: @escaping @Sendable () -> Timestamp) {
        self.table = table
        self.user = user
        self.clock = clock
    }

    /// When the next round may begin; `nil` where nobody waits for one.
    var next: Timestamp? { sought.isEmpty ? nil : max(rested, restedFromScans) - Self.credit }

    /// When a round for new questions may begin.
    var nextForNew: Timestamp { rested - Self.credit }

    /// Looks for the programs, as far as there is time.
    ///
    /// - Parameters:
    ///   - questions: Those that are new.
    ///   - owner: Asks the kernel whose a socket is.
    mutating func round(
        _ questions: [ClientQuestion],
        owner: (ConnectionEnds) -> SocketOwner?
    ) {
        let began = clock()
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
        rested = max(rested, began) + (looked - began) * Self.rest
        guard !sought.isEmpty, looked >= restedFromScans - Self.credit else { return giveUp(at: looked) }
        for pid in table.numbers() where !sought.isEmpty && !recent.contains(pid) { look(into: pid) }
        // Whose socket nobody has, among those who may be looked into, stays unknown.
        for question in sought.values { question.answer(nil) }
        sought = [:]
        let scanned = clock()
        restedFromScans = max(restedFromScans, looked) + (scanned - looked) * Self.rest
    }

    private mutating func lookIntoNewest() {
        guard !sought.isEmpty else { return }
        for number in table.newest(Self.newest) where !sought.isEmpty && !recent.contains(number) {
            look(into: number)
        }
    }

    /// Answers those whose sockets a process has, or a thread of it.
    private mutating func look(into number: Int32) {
        let found = table.sockets(of: number, most: sought.count) { sought[$0] != nil }
        guard !found.isEmpty, let pid = table.leader(of: number) else { return }
        let process = table.process(pid)
        for inode in found { sought.removeValue(forKey: inode)?.answer(process) }
        recent.removeAll { $0 == pid }
        recent.insert(pid, at: 0)
        if recent.count > Self.remembered { recent.removeLast() }
    }

    private mutating func giveUp(at now: Timestamp) {
        for (inode, question) in sought where now - question.asked >= Self.patience {
            question.answer(nil)
            sought[inode] = nil
        }
    }
}

import Foundation
import PinholeLock
import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeRuntime

/// What is looked into, and when, in a table of processes of our own, with a clock that stands.
@Suite("ClientSearch")
struct ClientSearchTests {
    /// A table in which each process has the socket with its number times ten, and a clock.
    private final class Machine {
        let folder: TemporaryDirectory
        let time = Lock(Timestamp(microseconds: 1_000_000))
        /// How long a part of a round works.
        let step = Lock(Duration.milliseconds(1))
        /// How long it then waits for a processor, and how long it has waited in all.
        let wait = Lock(Duration.zero)
        let waited = Lock(Duration.zero)
        let answers = Lock<[UInt16: ClientProcess?]>([:])
        var search: ClientSearch
        var asked: [UInt16] = []

        init(_ pids: [Int32], user: UInt32 = 1000) throws {
            folder = try TemporaryDirectory(prefix: "pinhole-proc")
            let (time, step, wait, waited) = (time, step, wait, waited)
            search = ClientSearch(ProcessTable(root: folder.path), user: user) {
                let wait = wait.withLock { $0 }
                waited.withLock { $0 += wait }
                return time.withLock { time in
                    time = time + wait
                    return time
                }
            } spent: {
                let step = step.withLock { $0 }
                let now = time.withLock { time in
                    time = time + step
                    return time
                }
                return now - Timestamp(microseconds: 0) - waited.withLock { $0 }
            }
            for pid in pids { try begin(pid) }
        }

        func begin(
            _ pid: Int32,
            of leader: Int32? = nil,
            child parent: Int32 = 1,
            sockets: [Int32]? = nil
        ) throws {
            let files = FileManager.default
            try files.createDirectory(atPath: folder.file("\(pid)/fd"), withIntermediateDirectories: true)
            for (index, socket) in (sockets ?? [pid * 10]).enumerated() {
                try files.createSymbolicLink(
                    atPath: folder.file("\(pid)/fd/\(3 + index)"),
                    withDestinationPath: "socket:[\(socket)]"
                )
            }
            try folder.write("p\(pid)\n", to: "\(pid)/comm")
            try folder.write(
                "Name:\tp\(pid)\nTgid:\t\(leader ?? pid)\nPPid:\t\(parent)\n",
                to: "\(pid)/status"
            )
        }

        /// One question, in a round that takes so long that there is no credit left.
        func longRound(_ inode: UInt16, step long: Duration = .milliseconds(40)) throws {
            step.withLock { $0 = long }
            try round(inode)
            step.withLock { $0 = .milliseconds(1) }
        }

        /// The number that was given last.
        func setLast(_ number: Int32) throws {
            try folder.write("0.1 0.2 0.3 1/99 \(number)\n", to: "loadavg")
        }

        func remove(_ file: String, of pid: Int32) throws {
            try FileManager.default.removeItem(atPath: folder.file("\(pid)/\(file)"))
        }

        func end(_ pid: Int32) throws { try FileManager.default.removeItem(atPath: folder.file("\(pid)")) }

        /// Asks who has the sockets with these numbers, which stand for the ports of the connections.
        func round(_ inodes: UInt16..., user: UInt32 = 1000, age: Duration = .zero) throws {
            let address = try #require(IPAddress("127.0.0.1"))
            let answers = answers
            let questions = inodes.map { inode in
                ClientQuestion(
                    ends: ConnectionEnds(
                        local: SocketAddress(address, port: inode),
                        remote: SocketAddress(address, port: 1)
                    ),
                    asked: now - age
                ) { process in answers.withLock { $0[inode] = .some(process) } }
            }
            search.round(questions) { ends in
                asked.append(ends.local.port)
                return SocketOwner(inode: UInt32(ends.local.port), user: user)
            }
        }

        var now: Timestamp { time.withLock { $0 } }

        /// The names that were answered, in order of the sockets; `-` for nobody.
        func told() -> [String] {
            answers.withLock { answers in
                defer { answers = [:] }
                return answers.sorted { $0.key < $1.key }.map { $0.value?.name ?? "-" }
            }
        }
    }

    @Test("one search of all processes answers all waiting questions, and a missing process stays unknown")
    func together() throws {
        let machine = try Machine([4, 5, 6])
        try machine.round(40, 60, 70)
        #expect(machine.told() == ["p4", "p6", "-"])
        #expect(machine.search.next == nil)
    }

    @Test("a known process is found before the next search of all; others wait for it")
    func recent() throws {
        let machine = try Machine([4, 5])
        try machine.longRound(40)
        #expect(machine.told() == ["p4"])
        try machine.round(40, 50)
        #expect(machine.told() == ["p4"])
        let next = try #require(machine.search.next)
        #expect(next > machine.now + .milliseconds(300))
        machine.time.withLock { $0 = next }
        try machine.round()
        #expect(machine.told() == ["p5"])
        #expect(machine.search.next == nil)
        try machine.end(5)
        try machine.begin(7)
        try machine.round(50, 70)
        #expect(machine.told() == [], "5 is gone, 7 is new")
        machine.time.withLock { $0 = $0 + .seconds(1) }
        try machine.round()
        #expect(machine.told() == ["-", "p7"])
    }

    @Test("the newest are looked into though no look at all processes is due, also by a thread")
    func newest() throws {
        let machine = try Machine([4])
        try machine.longRound(40)
        #expect(machine.told() == ["p4"])
        try machine.setLast(120)
        try machine.begin(100)
        try machine.begin(119, of: 101)
        try machine.begin(101)
        try machine.begin(56)
        try machine.round(1000, 1190, 560)
        #expect(machine.told() == ["p100", "p101"], "56 is older, and waits")
        try machine.round(1010)
        #expect(machine.told() == ["p101"])
    }

    @Test("a socket that children have too is its eldest holder's")
    func forked() throws {
        let machine = try Machine([4])
        try machine.setLast(120)
        try machine.begin(100, child: 4, sockets: [40, 1000])
        try machine.begin(101, child: 100, sockets: [40, 1000, 1010])
        // Its parent has ended.
        try machine.begin(102, child: 99, sockets: [990])
        try machine.round(40, 990, 1000, 1010)
        #expect(machine.told() == ["p4", "p102", "p100", "p101"])
        // A process of which only the sockets can be read is gone in a moment.
        try machine.begin(110, child: 4, sockets: [40])
        for file in ["comm", "status"] { try machine.remove(file, of: 110) }
        try machine.round(40)
        #expect(machine.told() == ["p4"])
    }

    @Test("the search pauses for a multiple of its working time")
    func rest() throws {
        let machine = try Machine([4, 5])
        for _ in 0..<5 {
            try machine.round(40)
            #expect(machine.search.nextForNew < machine.now)
        }
        let began = machine.now
        for _ in 0..<100 {
            let next = machine.search.nextForNew
            machine.time.withLock { $0 = max($0, next) }
            try machine.round(40)
        }
        // A hundred rounds of a millisecond each.
        let least = Duration.milliseconds(1) * (100 * ClientSearch.rest) - ClientSearch.credit
        #expect(machine.now - began > least, "\(machine.now - began)")
        #expect(machine.told() == ["p4"])
    }

    @Test("on a busy machine, the search does not rest for the time in which others ran")
    func busyMachine() throws {
        let machine = try Machine([4, 5])
        machine.wait.withLock { $0 = .milliseconds(400) }
        for _ in 0..<4 {
            try machine.round(40, 50)
            #expect(machine.told() == ["p4", "p5"])
            #expect(machine.search.nextForNew < machine.now)
        }
    }

    @Test("without pauses, the next round searches all processes and answers every question")
    func withoutRests() throws {
        let machine = try Machine([4, 5])
        try machine.longRound(40)
        #expect(machine.told() == ["p4"])
        try machine.round(50)
        #expect(machine.told() == [], "a look at all processes is not due")
        machine.search.endRests()
        try machine.round(60)
        #expect(machine.told() == ["p5", "-"])
        #expect(machine.search.next == nil)
    }

    @Test("expired questions, and processes of other users, are not searched")
    func notLookedFor() throws {
        let machine = try Machine([4])
        try machine.round(40, age: ClientSearch.patience)
        #expect(machine.told() == ["-"] && machine.asked == [])
        try machine.round(40, user: 1001)
        #expect(machine.told() == ["-"] && machine.asked == [40])
        let root = try Machine([4], user: 0)
        try root.round(40, user: 1001)
        #expect(root.told() == ["p4"], "root may look into all")
    }

    @Test("a question that waits too long for the next search gets no answer")
    func givenUp() throws {
        let machine = try Machine([4, 5])
        // A look at all processes that takes long, so that the next one is far.
        try machine.longRound(40, step: .milliseconds(200))
        try machine.round(50)
        #expect(machine.told() == ["p4"])
        machine.time.withLock { $0 = $0 + ClientSearch.patience }
        try machine.round()
        #expect(machine.told() == ["-"])
        #expect(machine.search.next == nil)
    }

    @Test("of many clients the last ones are remembered")
    func bounded() throws {
        let pids = Array(Int32(10)...30)
        let machine = try Machine(pids)
        machine.step.withLock { $0 = .milliseconds(40) }
        try machine.round(100, 110, 120, 130, 140, 150, 160, 170, 180, 190)
        machine.step.withLock { $0 = .milliseconds(1) }
        #expect(machine.told().count == 10)
        try machine.round(100, 190)
        #expect(machine.told() == ["p10"], "the lowest number was looked into last")
    }
}

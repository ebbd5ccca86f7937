import Glibc
import PinholeModel
import PinholeSession
import Testing

@testable import PinholeCommand

@Suite("AttachTarget")
struct AttachTargetTests {
    /// A shell with this process, two daemons, and a browser with its child processes.
    private static let tree = ProcessTree([
        entry(1, "init", "/sbin/init", of: 0), entry(10, "bash", "/usr/bin/bash", of: 1),
        entry(11, "pinhole", "/usr/bin/pinhole", of: 10), entry(20, "my-daemon", "/opt/my-daemon", of: 1),
        entry(21, "my-daemon", "/opt/my-daemon", of: 1), entry(22, "other", nil, of: 21),
        entry(30, "browser", "/opt/browser", of: 1), entry(31, "browser", "/opt/browser", of: 30),
        entry(32, "Renderer", "/opt/browser", of: 31), entry(40, "pinhole", "/usr/bin/pinhole", of: 1),
    ])

    private static func entry(
        _ pid: Int32,
        _ name: String,
        _ path: String?,
        of parent: Int32
    ) -> ProcessTree.Entry {
        ProcessTree.Entry(process: ClientProcess(pid: pid, name: name, path: path), parent: parent)
    }

    private static func target(
        _ text: String,
        caller: uid_t? = 0,
        foreign: Set<Int32> = []
    ) throws(CommandFailure) -> AttachTarget {
        let users = ProcessUsers(caller: caller) { foreign.contains($0) ? 4_000_000_001 : caller ?? 0 }
        return try AttachTarget(text, in: tree, own: 11, users)
    }

    @Test("a process is found by its number, its name and its file")
    func found() throws {
        #expect(try Self.target("21").process.pid == 21)
        #expect(try Self.target("21").children == [22])
        #expect(try Self.target("other").process.pid == 22)
        let browser = try Self.target("browser")
        #expect(browser.process.pid == 30 && browser.children == [31, 32])
        #expect(browser.description == "browser (process 30) with 2 child processes")
        #expect(try Self.target("/opt/browser") == browser)
        #expect(try Self.target("other").description == "other (process 22)")
        #expect(try Self.target("pinhole").process.pid == 40, "another Pinhole than this one")
    }

    @Test("a name finds the caller's own processes, a number and root itself find all")
    func users() throws {
        #expect(try Self.target("my-daemon", caller: 7, foreign: [21]).process.pid == 20)
        let failure = try #require(throws: CommandFailure.self) {
            try Self.target("other", caller: 7, foreign: [22])
        }
        #expect(failure.remedy?.contains("others' need the number") == true)
        let other = try Self.target("22", caller: 7, foreign: [22])
        #expect(other.description == "other (process 22 of the user 4000000001)")
        #expect(try Self.target("other", caller: nil, foreign: [22]).description == other.description)
    }

    @Test("the caller is the user of the process, or the user who ran sudo")
    func caller() {
        #expect(ProcessUsers.caller(7, ["SUDO_UID": "8"]) == 7)
        #expect(ProcessUsers.caller(0, ["SUDO_UID": "8"]) == 8)
        for variables in [[:], ["SUDO_UID": "0"], ["SUDO_UID": "x"]] {
            #expect(ProcessUsers.caller(0, variables) == nil)
        }
        #expect(ProcessUsers.user("Name:\ta\nUid:\t1000\t0\t0\t0\n") == 1000)
        #expect(ProcessUsers.user("") == nil)
        #expect(ProcessUsers.current.owner(getpid()) == getuid())
    }

    @Test("a name of several programs is refused with a list")
    func several() throws {
        let failure = try #require(throws: CommandFailure.self) { try Self.target("my-daemon") }
        #expect(failure.status == .couldNotRun)
        #expect(
            failure.message == "2 processes are called my-daemon:\n  20  /opt/my-daemon\n  21  /opt/my-daemon"
        )
        #expect(failure.remedy == "name one by its number: pinhole attach 20")
    }

    @Test("Pinhole and its parent processes are refused", arguments: ["11", "10", "bash", "1", "init"])
    func own(text: String) throws {
        let failure = try #require(throws: CommandFailure.self) { try Self.target(text) }
        #expect(failure.status == .usage && failure.message.contains("cannot attach to itself"))
    }

    @Test("an unknown process is refused", arguments: ["99", "nobody", "0", "-1", "brow"])
    func unknown(text: String) throws {
        let failure = try #require(throws: CommandFailure.self) { try Self.target(text) }
        #expect(failure.status == .couldNotRun && failure.message.contains(text))
    }

    @Test("a circle of parents, which a table can show that changes meanwhile, ends")
    func circle() {
        let tree = ProcessTree([Self.entry(2, "a", nil, of: 3), Self.entry(3, "b", nil, of: 2)])
        #expect(tree.ancestors(of: 2) == [3, 2])
        #expect(tree.descendants(of: 9).isEmpty)
    }
}

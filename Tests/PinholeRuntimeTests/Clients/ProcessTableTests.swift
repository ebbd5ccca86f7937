import Foundation
import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeRuntime

@Suite("ProcessTable")
struct ProcessTableTests {
    private static func inode(_ link: String) -> UInt32? { ProcessTable.inode(in: Array(link.utf8)) }

    @Test("the number of a socket is read from its link, and from nothing else")
    func links() {
        #expect(Self.inode("socket:[4711]") == 4711)
        #expect(Self.inode("socket:[4294967295]") == .max)
        for link in [
            "", "socket:", "socket:[", "socket:[]", "socket:[4711", "socket:[4711]x", "socket:[47 11]",
            "socket:[-1]", "socket:[+1]", "socket:[4294967296]", "socket:[99999999999999999999]",
            "pipe:[4711]",
            "/tmp/socket:[4711]", "socket:[4711](deleted)", "Socket:[1]", "socket:[٣]",
        ] { #expect(Self.inode(link) == nil, "\(link)") }
        var random = SeededRandom(seed: 2)
        for _ in 0..<2000 {
            let bytes = (0..<Int.random(in: 0..<32, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            _ = ProcessTable.inode(in: bytes)
            _ = ProcessTable.inode(in: Array("socket:[".utf8) + bytes)
        }
    }

    @Test("a name is as the process calls itself, and whole where the kernel cut it off")
    func names() {
        func name(_ content: String?, _ path: String?) -> String? {
            ProcessTable.name(content.map { Array($0.utf8) }, path: path)
        }
        #expect(name("curl\n", "/usr/bin/curl") == "curl")
        #expect(name("pip\n", "/usr/bin/python3.11") == "pip")
        #expect(name("a-program-with-a\n", "/x/a-program-with-a-long-name") == "a-program-with-a")
        #expect(name("a-program-with-\n", "/x/a-program-with-a-long-name") == "a-program-with-a-long-name")
        #expect(name("a-program-with-\n", "/x/other") == "a-program-with-")
        #expect(name("two\nlines\n", "/x") == "two\nlines")
        #expect(name("", "/usr/bin/curl") == "curl" && name("\n", "/usr/bin/curl") == "curl")
        #expect(name(nil, "/usr/bin/curl") == "curl" && name("kworker\n", nil) == "kworker")
        #expect(name(nil, nil) == nil && name("", "/") == nil)
        #expect(ProcessTable.name([0xff, 0x41, 0x0a], path: nil) == "\u{fffd}A")
    }

    @Test("the file of a process is named although it was replaced; other links are no path")
    func paths() {
        func path(_ link: String) -> String? { ProcessTable.path(Array(link.utf8)) }
        #expect(path("/usr/bin/curl") == "/usr/bin/curl")
        #expect(path("/usr/bin/curl (deleted)") == "/usr/bin/curl")
        #expect(path("") == nil && path("curl") == nil && path(" (deleted)") == nil)
        #expect(ProcessTable.path(nil) == nil)
        #expect(ProcessTable.path(Array("/a\u{7}".utf8) + [0xff]) == "/a\u{7}\u{fffd}")
    }

    @Test("the last number, the process of a thread and its parent are read from their lines alone")
    func lines() {
        func last(_ text: String) -> Int32? { ProcessTable.lastNumber(in: Array(text.utf8)) }
        #expect(last("0.30 0.20 0.10 2/345 6789\n") == 6789 && last("0 6789") == 6789)
        for text in ["", "\n", "a", "1 2 x\n", "1 2 -7\n", "1 0\n", "1 99999999999\n", "1 2\n\n"] {
            #expect(last(text) == nil, "\(text)")
        }
        func family(_ text: String) -> ProcessFamily? { ProcessTable.family(in: Array(text.utf8)) }
        let status = "Name:\tx\nState:\tR\nTgid:\t17\nNgid:\t0\nPid:\t18\nPPid:\t4\n"
        #expect(family(status) == ProcessFamily(leader: 17, parent: 4))
        let zombie = "Name:\tsh\nState:\tZ (zombie)\nTgid:\t17\nPid:\t17\nPPid:\t4\n"
        #expect(family(zombie) == ProcessFamily(leader: 17, parent: 4, hasEnded: true))
        for text in [
            "", "Tgid:", "Tgid:\t", "Tgid:\tx\nPPid:\t1\n", "Tgid:\t7\n", "PPid:\t7\n",
            "Tgid:\t7\nPPid:\t-1\n",
            "Name:\tTgid:\t7\nPPid:\t7\n",
        ] { #expect(family(text) == nil, "\(text)") }
    }

    @Test("a table of odd entries is read as far as it makes sense")
    func oddTable() throws {
        let folder = try TemporaryDirectory(prefix: "pinhole-proc")
        let files = FileManager.default
        func process(_ name: String, _ links: [String: String]) throws {
            try files.createDirectory(atPath: folder.file("\(name)/fd"), withIntermediateDirectories: true)
            for (descriptor, target) in links {
                try files.createSymbolicLink(
                    atPath: folder.file("\(name)/fd/\(descriptor)"),
                    withDestinationPath: target
                )
            }
        }
        try process("12", ["0": "/dev/null", "1": "socket:[7]", "2": "socket:[8]", "3": "socket:[7]"])
        try process("7", ["x": "socket:[8]", "0": String(repeating: "a", count: 300)])
        for name in ["self", "-3", "99999999999", "3x"] { try process(name, ["0": "socket:[7]"]) }
        try folder.write("no folder", to: "5")
        try folder.write("curl\n", to: "12/comm")
        let table = ProcessTable(root: folder.path)
        #expect(table.numbers() == [12, 7, 5])
        #expect(Set(table.sockets(of: 12, most: 9) { _ in true }) == [7, 8])
        #expect(table.sockets(of: 12, most: 9) { $0 == 8 } == [8])
        #expect(table.sockets(of: 12, most: 1) { _ in true }.count == 1)
        #expect(table.sockets(of: 7, most: 9) { _ in true } == [8])
        #expect(table.sockets(of: 5, most: 9) { _ in true }.isEmpty && table.process(5) == nil)
        #expect(table.sockets(of: 13, most: 9) { _ in true }.isEmpty && table.process(13) == nil)
        #expect(table.process(12) == ClientProcess(pid: 12, name: "curl", path: nil))
        #expect(table.process(7) == nil)
        #expect(ProcessTable(root: folder.file("nowhere")).numbers().isEmpty)
    }

    @Test("this process is in the table of the system, with its name and its file")
    func itself() throws {
        let own = ProcessInfo.processInfo.processIdentifier
        let process = try #require(ProcessTable().process(own))
        #expect(process.path == (try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")))
        #expect(ProcessTable().numbers().contains(own))
        #expect(ProcessTable().family(of: own) == ProcessFamily(leader: own, parent: getppid()))
        #expect(ProcessTable().newest(3).count == 3)
    }
}

import Foundation
import PinholeTestKit
import Testing

@testable import PinholeClass

@Suite("The copy of a student's client")
struct ClientCopyTests {
    @Test("runs the program that was read, from a copy that the student cannot change")
    func copy() throws {
        let directory = try TemporaryDirectory(prefix: "pinhole-copy")
        let original = try directory.write("print(1)\n", to: "client.py")
        let path: String
        do {
            let copy = try ClientCopy(of: original)
            path = copy.path
            try directory.write("print(2)\n", to: "client.py")
            #expect(copy.content == Array("print(1)\n".utf8))
            #expect(try String(contentsOfFile: copy.path, encoding: .utf8) == "print(1)\n")
            let mode = { (path: String) in
                (try? FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]) as? Int
            }
            #expect(mode(copy.path) == 0o400)
            #expect(mode((copy.path as NSString).deletingLastPathComponent) == 0o500)
            withExtendedLifetime(copy) {}
        }
        #expect(!FileManager.default.fileExists(atPath: (path as NSString).deletingLastPathComponent))
    }

    @Test(
        "a file that is missing, too long or no file is refused, without the path of its folder",
        .patience
    )
    func refused() throws {
        let directory = try TemporaryDirectory(prefix: "pinhole-copy")
        try directory.write(String(repeating: "x", count: (1 << 20) + 1), to: "long.py")
        #expect(mkfifo(directory.file("fifo.py"), 0o600) == 0)
        for name in ["none.py", "long.py"] {
            do throws(ClassFailure) {
                _ = try ClientCopy(of: directory.file(name))
                Issue.record("\(name) was copied")
            } catch {
                #expect("\(error)".contains(name) && !"\(error)".contains(directory.path), "\(error)")
            }
        }
        // Nothing waits for a writer: it is empty.
        #expect(try ClientCopy(of: directory.file("fifo.py")).content.isEmpty)
    }
}

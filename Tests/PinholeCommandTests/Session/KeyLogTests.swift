import Foundation
import PinholeTestKit
import Testing

@testable import PinholeCommand
@testable import PinholeSession

@Suite("KeyLog")
struct KeyLogTests {
    @Test("appends, for its owner alone")
    func appends() throws {
        let directory = try TemporaryDirectory()
        try directory.write("before\n", to: "keys")
        let log = try KeyLog(path: directory.file("keys"))
        log.append("CLIENT_RANDOM a b")
        #expect(String(decoding: try directory.read("keys"), as: UTF8.self) == "before\nCLIENT_RANDOM a b\n")
        let mode = try FileManager.default.attributesOfItem(atPath: directory.file("keys"))[.posixPermissions]
        #expect((mode as? NSNumber)?.intValue == 0o600)
    }

    @Test("a file that others can read is refused, with the command that fixes it")
    func exposed() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write("", to: "keys")
        chmod(path, 0o644)
        let failure = #expect(throws: CommandFailure.self) { try KeyLog(path: path) }
        #expect(failure?.remedy == "chmod 600 \(path)")
        #expect(failure?.message.hasPrefix("SSLKEYLOGFILE: \(path) has the mode 0644") == true)
    }

    @Test("an unwritable file is reported")
    func refused() throws {
        #expect(throws: CommandFailure.self) { try KeyLog(path: "/nonexistent/keys") }
    }
}

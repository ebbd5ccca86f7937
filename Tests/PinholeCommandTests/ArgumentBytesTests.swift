import PinholeTestKit
import Testing

@testable import PinholeCommand
@testable import PinholeSession

@Suite("Arguments as bytes")
struct ArgumentBytesTests {
    @Test("invalid UTF-8 is refused and shown, and names of any language are accepted")
    func check() throws {
        try ArgumentBytes.check([Array("lab".utf8), Array("Zertifikat-für-日本.xml".utf8), []])
        let failure = #expect(throws: CommandFailure.self) {
            try ArgumentBytes.check([Array("lab".utf8), Array("caf".utf8) + [0xe9, 0x0a]])
        }
        #expect(failure?.status == .usage)
        #expect(failure?.message == #"expected arguments in UTF-8, found “caf\xE9\x0A” as argument 2"#)
        let long = #expect(throws: CommandFailure.self) {
            try ArgumentBytes.check([[UInt8](repeating: 0xff, count: 100_000)])
        }
        #expect((long?.message.utf8.count ?? 0) < 500)
    }

    @Test("a command line that is not UTF-8 is refused before anything is done")
    func program() async throws {
        let pinhole = try PinholeBinary()
        var invocation = pinhole.invocation(["lab"])
        invocation.arguments = ["-c", #""$0" lab --policy $'caf\xe9.xml' --only-own"#, invocation.executable]
        invocation.executable = "/bin/bash"
        let result = try await ProcessRunner.run(invocation)
        #expect(result.exit == .code(2), "\(result)")
        #expect(result.errorText.contains(#"found “caf\xE9.xml” as argument 3"#))
    }

    @Test(
        "the program says where /proc is not mounted that it cannot run",
        .enabled { await IsolatedRun.isPossible() }
    )
    func withoutProc() async throws {
        let pinhole = try PinholeBinary()
        var invocation = pinhole.invocation(["--version"])
        let script = #"mount -t tmpfs none /proc && [ ! -e /proc/self ] && exec "$@""#
        invocation.arguments =
            ["--user", "--map-root-user", "--mount", "sh", "-c", script, "sh", invocation.executable]
            + invocation.arguments
        invocation.executable = "unshare"
        let result = try await ProcessRunner.run(invocation)
        #expect(result.exit == .code(3) && result.output.isEmpty, "\(result)")
        #expect(result.errorText.contains("/proc is not mounted here"), "\(result)")
    }
}

import PinholeTestKit
import Testing

@Suite("ProcessRunner")
struct ProcessRunnerTests {
    @Test("collects both outputs and the exit code")
    func collects() async throws {
        let result = try await ProcessRunner.run(shell("echo out; echo err >&2; exit 3"))
        #expect(result.exit == .code(3))
        #expect(result.text == "out\n")
        #expect(result.errorText == "err\n")
        #expect(!result.isSuccess)
    }

    @Test("hands the input over and closes it")
    func input() async throws {
        let input = [UInt8](repeating: 0x61, count: 1_000_000)
        let result = try await ProcessRunner.run(Invocation("wc", ["-c"], input: input))
        #expect(result.text.contains("1000000"))
    }

    @Test("survives a process that does not read its input")
    func unreadInput() async throws {
        let input = [UInt8](repeating: 0x61, count: 1_000_000)
        let result = try await ProcessRunner.run(Invocation("true", input: input))
        #expect(result.isSuccess)
    }

    @Test("sets and removes variables, and changes the directory")
    func surroundings() async throws {
        let directory = try TemporaryDirectory()
        let invocation = Invocation(
            "sh",
            ["-c", "echo $PINHOLE_KIT-${HOME-none}; pwd"],
            environment: ["PINHOLE_KIT": "set", "HOME": nil],
            directory: directory.path
        )
        let result = try await ProcessRunner.run(invocation)
        #expect(result.text == "set-none\n\(directory.path)\n")
    }

    @Test("names the signal that ended a process")
    func signal() async throws {
        let result = try await ProcessRunner.run(shell("kill -TERM $$"))
        #expect(result.exit == .signal(15))
    }

    @Test("kills a process and its children when time is up")
    func timeOut() async throws {
        let result = try await ProcessRunner.run(
            shell("sleep 1000 & echo child; wait"),
            within: .milliseconds(300)
        )
        #expect(result.exit == .timedOut)
        // The output came to its end, so nobody holds it open any more: the child is gone too.
        #expect(result.text == "child\n")
    }

    @Test("does not wait for children that a process left behind")
    func leftBehind() async throws {
        let result = try await ProcessRunner.run(shell("sleep 1000 & echo done"))
        #expect(result.exit == .code(0))
        #expect(result.text == "done\n")
    }

    @Test("says which program could not be started")
    func unknownProgram() async {
        await #expect {
            try await ProcessRunner.run(Invocation("no-such-program-of-pinhole"))
        } throws: { error in
            String(describing: error).contains("no-such-program-of-pinhole")
        }
    }

    private func shell(_ script: String) -> Invocation { Invocation("sh", ["-c", script]) }
}

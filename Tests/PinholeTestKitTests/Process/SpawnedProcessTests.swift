import PinholeTestKit
import Testing

@Suite("SpawnedProcess")
struct SpawnedProcessTests {
    @Test("waits for a line without sleeping")
    func waits() async throws {
        let script = "echo starting; echo listening on 127.0.0.1:1 >&2; exec sleep 1000"
        try await SpawnedProcess.run(Invocation("sh", ["-c", script])) { process in
            let line = try await process.line(from: .errorOutput) { $0.hasPrefix("listening on") }
            #expect(line == "listening on 127.0.0.1:1")
            #expect(try await process.line { $0 == "starting" } == "starting")
            #expect(process.written(to: .output) == Array("starting\n".utf8))
        }
    }

    @Test("shows the output when the expected line never comes")
    func neverComes() async throws {
        try await SpawnedProcess.run(Invocation("sh", ["-c", "echo no port left; exit 3"])) { process in
            await #expect {
                try await process.line { $0.hasPrefix("listening on") }
            } throws: { error in
                String(describing: error).contains("no port left")
            }
        }
    }

    @Test("fails at the timeout")
    func timeOut() async throws {
        try await SpawnedProcess.run(Invocation("sleep", ["1000"])) { process in
            await #expect(throws: ProcessFailure.self) {
                try await process.line(within: .milliseconds(100)) { _ in true }
            }
        }
    }

    @Test("passes a signal on to the process")
    func signal() async throws {
        let script = "trap 'echo bye; exit 7' TERM; echo ready; sleep 1000 & wait"
        try await SpawnedProcess.run(Invocation("sh", ["-c", script])) { process in
            _ = try await process.line { $0 == "ready" }
            process.send(signal: 15)
            let result = await process.result()
            #expect(result.exit == .code(7))
            #expect(result.text == "ready\nbye\n")
        }
    }

    @Test("ends the process with its scope")
    func scope() async throws {
        let identifier = try await SpawnedProcess.run(Invocation("sleep", ["1000"])) { $0.identifier }
        let result = try await ProcessRunner.run(Invocation("sh", ["-c", "kill -0 \(identifier)"]))
        #expect(!result.isSuccess)
    }
}

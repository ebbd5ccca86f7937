import Foundation
import PinholeTestKit
import Testing

/// `pinhole top` in a pseudo terminal; Tests/Terminal/top.py is the test.
@Suite(
    "The screen of pinhole top in a terminal",
    .enabled(
        if: ["python3", "curl", "bash"].allSatisfy { Executable.find($0) != nil },
        "python3, curl or bash is missing"
    )
)
struct TopTests {
    @Test("the list, the detail and each action work, and the terminal is restored")
    func terminal() async throws {
        let directory = try TemporaryDirectory(prefix: "pinhole-top")
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Terminal/top.py").path
        let program = try #require(Executable.pinhole, "`swift build --product pinhole` comes first")
        let result = try await ProcessRunner.run(Invocation("python3", [script, program, directory.path]))
        #expect(result.isSuccess, "\(result)")
    }
}

import Foundation
import PinholeTestKit
import Testing

/// The pages of the web console in Chromium, against a mock of the control API or the real program.
@Suite(
    "The console's pages in a browser",
    .enabled(
        if: Executable.find("chromium") != nil && Executable.find("python3") != nil
            && Executable.find("node") != nil,
        "chromium, python3 or node is missing"
    )
)
struct ConsolePagesTests {
    @Test(
        "every view and every action is as it should be",
        arguments: [
            "list", "detail", "looks", "whole", "lab", "classroom", "lessons", "compose", "rules",
            "breakpoints",
            "exchange", "proxy", "hints", "manual", "timeline", "connect", "stories",
        ]
    )
    func group(name: String) async throws {
        let directory = try TemporaryDirectory()
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Browser/test_console.py").path
        let python = try #require(Executable.testPython ?? Executable.find("python3"))
        let program = try #require(Executable.pinhole, "`swift build --product pinhole` comes first")
        let result = try await ProcessRunner.run(
            Invocation(
                python,
                [script, "--pinhole", program, "\(name)."],
                environment: ["HOME": directory.path, "TMPDIR": directory.path]
            )
        )
        #expect(result.isSuccess, "\(result)")
    }
}

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
    /// Runs all groups in one Chromium.
    ///
    /// `Tests/Browser/test_console.py GROUP.` runs one of them.
    @Test("every view and every action of the console works in Chromium")
    func pages() async throws {
        let directory = try TemporaryDirectory()
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Browser/test_console.py").path
        let python = try #require(Executable.testPython ?? Executable.find("python3"))
        let program = try #require(Executable.pinhole, "`swift build --product pinhole` comes first")
        let result = try await ProcessRunner.run(
            Invocation(
                python,
                [script, "--pinhole", program],
                environment: ["HOME": directory.path, "TMPDIR": directory.path]
            ),
            within: Patience.limit * 4
        )
        for failure in Self.failures(in: result.text) {
            Issue.record("\(failure)")
        }
        #expect(result.isSuccess, "\(result)")
    }

    /// The failures that the script reports: the lines from one that begins with `FAIL` to the next result.
    private static func failures(in report: String) -> [String] {
        var found: [String] = []
        var isInside = false
        for line in report.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("FAIL  ") {
                found.append(String(line.dropFirst("FAIL  ".count)))
                isInside = true
            } else if line.hasPrefix("ok    ") || line.hasSuffix(" are well") {
                isInside = false
            } else if isInside {
                found[found.count - 1] += "\n\(line)"
            }
        }
        return found
    }
}

import Foundation
import PinholeTestKit
import Testing

/// The modules of the web console that need no page, in Node.js: `Tests/Page`.
@Suite(
    "The console's modules without a page",
    .enabled(if: Executable.find("node") != nil, "node is missing")
)
struct PageModulesTests {
    @Test(
        "every module of the page computes the expected values",
        arguments: ["bodies", "lists", "requests"]
    )
    func modules(name: String) async throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Page/\(name).test.mjs").path
        let directory = try TemporaryDirectory()
        let node = try #require(Executable.find("node"))
        let result = try await ProcessRunner.run(
            Invocation(
                node,
                ["--test", file],
                environment: ["HOME": directory.path, "TMPDIR": directory.path]
            )
        )
        #expect(result.isSuccess, "\(result)")
    }
}

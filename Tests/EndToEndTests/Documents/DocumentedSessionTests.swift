import Foundation
import PinholeTestKit
import Testing

/// The commands that pages show, run by `Tests/Documents/sessions.py` in namespaces of their own.
@Suite("Documented sessions")
struct DocumentedSessionTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The programs that pages call.
    private static let programs = [
        "certutil", "chromium", "curl", "git", "jq", "nghttpd", "nginx", "openssl",
    ]

    /// The pages with a command at a prompt.
    private static let pages: [String] = {
        let docs = root.appending(path: "docs")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: docs.path)) ?? []
        let files = names.filter { $0.hasSuffix(".md") }.sorted().map { docs.appending(path: $0) }
        return ([root.appending(path: "README.md")] + files).filter { file in
            (try? String(contentsOf: file, encoding: .utf8))?.contains("\n$ ") == true
        }
        .map { $0.deletingPathExtension().lastPathComponent }
    }()

    /// Whether this system has the programs, Python with the packages of the tests, and namespaces.
    private static func isPossible() async -> Bool {
        guard Executable.testPython != nil, programs.allSatisfy({ Executable.find($0) != nil }) else {
            return false
        }
        return await IsolatedRun.isPossible()
    }

    private static func python(_ words: [String]) async throws -> ProcessResult {
        let python = try #require(Executable.testPython)
        let folder = root.appending(path: "Tests/Documents").path
        return try await ProcessRunner.run(
            Invocation(python, words, environment: ["PINHOLE_TEST_PYTHON": python], directory: folder)
        )
    }

    @Test(
        "each command on the page prints the output that the page shows",
        .enabled { await isPossible() },
        arguments: pages
    )
    func page(_ page: String) async throws {
        let binary = try #require(Executable.pinhole, "`swift build --product pinhole` comes first")
        let result = try await Self.python(["sessions.py", binary, page])
        #expect(result.isSuccess, "\(result.text)\(result.errorText)")
    }

    @Test("pages are read, outputs compared and exceptions counted", .enabled { await isPossible() })
    func runner() async throws {
        #expect(Self.pages.count > 15)
        let result = try await Self.python(["-m", "unittest", "-q", "test_sessions"])
        #expect(result.isSuccess, "\(result.errorText)")
    }
}

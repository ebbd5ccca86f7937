import Foundation
import PinholeTestKit
import Testing

/// `pinhole attach` in a network namespace of its own; Tests/Network/attach.py is the test.
@Suite("Attach", .serialized)
struct AttachTests {
    /// The mount namespace hides the undo files of this machine.
    private static let unshare = ["--net", "--mount"]

    /// The programs that make up the stage.
    private static let missing = ["unshare", "ip", "nft", "mount", "openssl", "python3"]
        .filter { Executable.find($0) == nil }

    private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Network/attach.py")
        .path

    private static func run(_ words: [String]) async throws -> ProcessResult {
        try await ProcessRunner.run(Invocation("unshare", unshare + ["python3", script] + words))
    }

    @Test(
        "a running program is attached to, and everything is taken back after SIGTERM and SIGKILL",
        .enabled(if: missing.isEmpty, "missing: \(missing.joined(separator: ", "))"),
        .enabled(
            "this system permits no cgroup of its own with a rule of nftables (root, cgroup2, nft_socket)"
        ) {
            (try? await run(["--check"]))?.isSuccess == true
        }
    )
    func attach() async throws {
        let binary = try #require(Executable.pinhole, "`swift build --product pinhole` comes first")
        let directory = try TemporaryDirectory(prefix: "pinhole-attach")
        let result = try await Self.run([binary, directory.path])
        #expect(result.isSuccess, "\(result)")
    }
}

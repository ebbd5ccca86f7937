import Foundation
import PinholeTestKit
import Testing

/// Transparent listeners in network namespaces of their own; Tests/Network/transparent.py is the test.
@Suite("Transparent", .serialized)
struct TransparentTests {
    /// What makes a namespace: as root, or as the root of a namespace of users.
    private static let unshare = getuid() == 0 ? ["--net"] : ["--map-root-user", "--net"]

    /// The programs that make up the stage.
    private static let missing = [
        "unshare", "nsenter", "setpriv", "ip", "nft", "iptables", "nginx", "curl", "python3",
    ]
    .filter { Executable.find($0) == nil }

    /// Whether the system permits namespaces.
    private static func permits() async -> Bool {
        let invocation = Invocation("unshare", unshare + ["ip", "link", "set", "lo", "up"])
        return (try? await ProcessRunner.run(invocation))?.isSuccess == true
    }

    @Test(
        "redirected connections are served by nft, iptables and TPROXY, and no rule makes a loop",
        .enabled(if: missing.isEmpty, "missing: \(missing.joined(separator: ", "))"),
        .enabled("this system permits no network namespaces (unshare --net)") { await permits() }
    )
    func namespaces() async throws {
        let binary = try #require(Executable.pinhole, "`swift build --product pinhole` comes first")
        let directory = try TemporaryDirectory(prefix: "pinhole-net")
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Network/transparent.py").path
        let words = Self.unshare + ["python3", script, binary, directory.path]
        let result = try await ProcessRunner.run(Invocation("unshare", words))
        #expect(result.isSuccess, "\(result)")
    }
}

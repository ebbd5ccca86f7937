import Foundation
import PinholeTestKit
import Testing

/// A script of `integrations/`, which runs the `pinhole` of this build.
enum IntegrationScript: String {
    /// Runs the lab and an audit in continuous integration.
    case runLab = "ci/run-lab"
    /// Checks files for pre-commit.
    case checkPins = "pre-commit/check-pins"

    private var path: String {
        URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("integrations/\(rawValue)").path
    }

    /// Runs the script in `directory`, with `pinhole` first on the path.
    ///
    /// The variables of a runner of GitHub are unset, unless `settings` has them.
    func run(
        _ words: [String] = [],
        settings: [String: String] = [:],
        in directory: TemporaryDirectory
    ) async throws -> ProcessResult {
        let binary = try #require(Executable.pinhole, "`swift build --product pinhole` comes first")
        let programs = directory.file("programs")
        if !FileManager.default.fileExists(atPath: programs) {
            try FileManager.default.createDirectory(atPath: programs, withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(
                atPath: "\(programs)/pinhole",
                withDestinationPath: binary
            )
        }
        let inherited = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        var environment: [String: String?] = [
            "GITHUB_ACTION_PATH": nil, "GITHUB_OUTPUT": nil, "GITHUB_STEP_SUMMARY": nil,
            "PATH": "\(programs):\(inherited)",
        ]
        for (name, value) in settings { environment[name] = value }
        return try await ProcessRunner.run(
            Invocation(path, words, environment: environment, directory: directory.path)
        )
    }
}

/// Network security configurations of an Android app for `api.example.com`.
enum PolicyFile {
    /// Pins a key and its backup.
    static let pinned = """
        <network-security-config>
            <domain-config>
                <domain>api.example.com</domain>
                <pin-set>
                    <pin digest="SHA-256">vwv7pgzTyeqUIdBQ0w81H3XB6sJrhkheurJPJG/nBN8=</pin>
                    <pin digest="SHA-256">L9OQZsLgz6XD3eWRl38+zsG2A/vwWMv1qbUlK4wsoTE=</pin>
                </pin-set>
            </domain-config>
        </network-security-config>
        """

    /// Pins a key without a backup.
    static let withoutBackup = pinned.split(separator: "\n").filter { !$0.contains("L9OQ") }
        .joined(separator: "\n")

    /// Pins nothing, and trusts the CAs that the user installed.
    static let trustingUsers = """
        <network-security-config>
            <domain-config>
                <domain>api.example.com</domain>
                <trust-anchors>
                    <certificates src="system" />
                    <certificates src="user" />
                </trust-anchors>
            </domain-config>
        </network-security-config>
        """
}

import Foundation
import PinholeCrypto
import PinholeModel
import PinholeTestKit
import Testing

/// Runs of the programs in Tests/Clients/http2, which are client and server at once.
enum HTTP2Programs {
    /// Runs a program through the proxy of a stage to its end.
    ///
    /// - Parameters:
    ///   - name: The file.
    ///   - host: What the program's server is called.
    ///   - configuration: The proxy's config.json.
    ///   - check: Looks at the lines that it printed.
    /// - Throws: What stood in the way, or what `check` throws.
    static func run<Line: Decodable>(
        _ name: String,
        host: String,
        configuration: String? = nil,
        _ check: (Stage, [Line]) async throws -> Void
    ) async throws {
        let now = Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
        let made = try OriginAuthorityMaker.make(try Authority("\(host):443").host, now: now)
        var setup = Stage.Setup()
        setup.serverRoots = [made.root]
        setup.configuration = configuration
        try await Stage.run(setup) { stage in
            let chain = try stage.directory.write(made.identity.chain.map(\.pem).joined(), to: "chain.pem")
            let key = try stage.directory.write(try made.identity.key.pem, to: "key.pem")
            let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .deletingLastPathComponent().deletingLastPathComponent()
                .appendingPathComponent("Clients/http2/\(name)")
            let result = try await ProcessRunner.run(
                Invocation(
                    try #require(Executable.testPython),
                    [
                        script.path, "--proxy-port", "\(stage.port)", "--pid", "\(stage.process.identifier)",
                        "--ca", stage.authorityPath, "--chain", chain, "--key", key,
                    ],
                    environment: [
                        "HTTPS_PROXY": "http://127.0.0.1:\(stage.port)", "NO_PROXY": "", "no_proxy": "",
                        "PINHOLE_CLIENT_CA": stage.authorityPath, "PYTHONDONTWRITEBYTECODE": "1",
                    ],
                    directory: stage.directory.path
                )
            )
            try #require(result.isSuccess, "\(result)")
            let lines = try result.text.split(separator: "\n")
                .map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
            try await check(stage, lines)
        }
    }
}

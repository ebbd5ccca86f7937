import PinholeCrypto
import PinholeLab
import PinholeRuntime
import PinholeTestKit
import Testing

/// Stands before an origin and speaks HTTP/2 with its clients, which the origin does not: another `pinhole proxy`,
/// with the certificate of the origin's first host.
enum HTTP2Front {
    /// Starts it, runs `body` with its port, ends it.
    static func run<Result>(
        before origin: Origin,
        in directory: TemporaryDirectory,
        isolation: isolated (any Actor)? = #isolation,
        _ body: (UInt16) async throws -> Result
    ) async throws -> Result {
        let binary = try #require(Executable.pinhole, "`swift build --product pinhole` comes first")
        let now = LoopClock().now()
        let host = try #require(VirtualHost.standard(now: now).first)
        let identity = try origin.authority.identity(for: host, now: now)
        let chain = identity.chain.map(\.pem).joined()
        let target = "https://\(host.name):\(origin.secureAddress.port)"
        let invocation = Invocation(
            binary,
            [
                "proxy", "--json", "--console", "none", "--capture", "none",
                "--ca-dir", directory.file("front-ca"),
                "--certificate", try directory.write(chain + (try identity.key.pem), to: "front.pem"),
                "--upstream-ca", try directory.write(origin.authority.root.pem, to: "front-root.pem"),
                "--resolve", "*:*:127.0.0.1", "--listen", "reverse:\(target)@127.0.0.1:0",
            ],
            directory: directory.path
        )
        return try await SpawnedProcess.run(invocation) { process in
            let line = try await process.line { TrafficLine($0)?.type == "listening" }
            let address = try #require(TrafficLine(line)?.address)
            return try await body(try #require(address.split(separator: ":").last.flatMap { UInt16($0) }))
        }
    }
}

import Foundation
import PinholeTestKit
import Testing

/// Connections to servers that come from an address that was chosen.
@Suite("Upstream address", .serialized)
struct UpstreamAddressTests {
    /// A server that answers each request with the address that it came from, until its connection ends.
    private static func server() throws -> RawServer {
        try RawServer { connection, _ in
            while true {
                _ = try connection.read(through: "\r\n\r\n")
                let address = connection.peerAddress ?? "none"
                try connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(address.count)\r\n\r\n\(address)")
            }
        }
    }

    private static func get(_ host: String, _ stage: Stage) async throws -> Response {
        try await blocking {
            let client = try Connection(to: stage.port)
            try client.send("GET http://\(host)/ HTTP/1.1\r\nHost: \(host)\r\n\r\n")
            return try client.readResponse()
        }
    }

    @Test("servers see it, and SIGHUP changes it for connections that are kept, too")
    func chosen() async throws {
        let server = try Self.server()
        var setup = Stage.Setup()
        setup.configuration = #"{"upstream": {"addresses": ["127.0.0.2"]}}"#
        try await Stage.run(setup) { stage in
            let host = "127.0.0.1:\(server.port)"
            for _ in 0..<2 { #expect(try await Self.get(host, stage).text == "127.0.0.2") }
            try await stage.configure(#"{"upstream": {"addresses": ["127.0.0.3"]}}"#)
            stage.process.send(signal: SIGHUP)
            _ = try await stage.process.line(from: .errorOutput) { $0.contains("read again") }
            #expect(try await Self.get(host, stage).text == "127.0.0.3")
            try await stage.configure(#"{"upstream": {"addresses": ["192.0.2.1"]}}"#)
            stage.process.send(signal: SIGHUP)
            let line = try await stage.process.line(from: .errorOutput) { $0.contains("stays as it was") }
            #expect(line.contains("could not connect from 192.0.2.1"))
            #expect(try await Self.get(host, stage).text == "127.0.0.3")
            await stage.stop()
        }
    }

    @Test("a next proxy sees it")
    func hop() async throws {
        let hop = try Self.server()
        var setup = Stage.Setup()
        setup.arguments = [
            "--upstream-address", "127.0.0.2", "--upstream-proxy", "http://127.0.0.1:\(hop.port)",
        ]
        try await Stage.run(setup) { stage in
            let seen = try await Self.get("a.test", stage)
            #expect(seen.text == "127.0.0.2")
            await stage.stop()
        }
    }

    @Test("a server of the other family is not asked, and the failure names the address that was used")
    func families() async throws {
        let server = try Self.server()
        let closed = try RawServer.refusing()
        var setup = Stage.Setup()
        setup.overrides = ["both.test:*:[::1],127.0.0.1"]
        setup.arguments = ["--upstream-address", "127.0.0.2"]
        try await Stage.run(setup) { stage in
            #expect(try await Self.get("both.test:\(server.port)", stage).text == "127.0.0.2")
            let other = try await Self.get("[::1]:\(server.port)", stage)
            #expect(other.status == 502 && other.text.contains("no address of the family of 127.0.0.2"))
            let refused = try await Self.get("127.0.0.1:\(closed.port)", stage)
            #expect(refused.status == 502 && refused.text.contains("cannot be reached from 127.0.0.2"))
            await stage.stop()
        }
    }

    @Test("an address of another machine is refused at the start, with the local ones")
    func foreign() async throws {
        let binary = try #require(Executable.pinhole)
        let directory = try TemporaryDirectory(prefix: "pinhole-e2e")
        let words = [
            "proxy", "--listen", "127.0.0.1:0", "--capture", "none", "--upstream-address", "192.0.2.1",
        ]
        let result = try await ProcessRunner.run(Invocation(binary, words, directory: directory.path))
        #expect(result.exit == .code(3) && result.errorText.contains("could not connect from 192.0.2.1"))
        #expect(
            result.errorText.contains("choose among the addresses of this machine: ") && result.text.isEmpty
        )
        #expect(result.errorText.contains("127.0.0.1"), "\(result)")
    }
}

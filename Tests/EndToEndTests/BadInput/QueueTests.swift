import Foundation
import PinholeTestKit
import Testing

@Suite("Queues", .serialized)
struct QueueTests {
    private static let length = 4 << 20

    /// A server that answers each request with `length` bytes.
    private static func generous() throws -> RawServer {
        try RawServer { connection, _ in
            _ = try connection.read(through: "\r\n\r\n")
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n")
            try connection.send([UInt8](repeating: 0x61, count: length))
            _ = try connection.readToEnd()
        }
    }

    @Test("slow readers do not delay others, and get all bytes")
    func slowReaders() async throws {
        let server = try Self.generous()
        var setup = Stage.Setup()
        // The least there can be: some of the readers below take all of it.
        setup.configuration = #"{"limits": {"queuedBytes": 1048576}}"#
        try await Stage.run(setup) { stage in
            try await blocking {
                let url = "http://127.0.0.1:\(server.port)/"
                let request = "GET \(url) HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n"
                let readers = try (0..<12).map { _ in
                    let reader = try Connection(to: stage.port)
                    try reader.send(request)
                    return reader
                }
                // Every reader's answer has begun, so that the rest of it waits.
                for reader in readers { _ = try reader.read(20) }
                let other = try Connection(to: stage.port)
                let host = "127.0.0.1:\(stage.plainPort)"
                try other.send("GET http://\(host)/status/200 HTTP/1.1\r\nHost: \(host)\r\n\r\n")
                #expect(try other.readResponse().status == 200)
                for reader in readers {
                    _ = try reader.read(through: "\r\n\r\n")
                    #expect(try reader.read(Self.length).count == Self.length)
                }
            }
            try await stage.expectAlive()
            await stage.stop()
        }
    }

    @Test(
        "a file of any length is sent as it is on the disk",
        arguments: [0, 65_536, 65_537, 3_000_000]
    )
    func file(length: Int) async throws {
        let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 2) }
        var setup = Stage.Setup()
        setup.prepare = { _, directory in try Data(bytes).write(to: URL(fileURLWithPath: directory.file("f")))
        }
        setup.configuration = #"{"rules": [{"do": "mapLocal", "file": "f"}]}"#
        setup.speaksHTTP2 = true
        try await Stage.run(setup) { stage in
            for version in ["--http1.1", "--http2"] {
                let output = stage.directory.file("got")
                let result = try await ProcessRunner.run(
                    Invocation(
                        "curl",
                        [
                            "-q", "-sS", version, "--max-time", "\(Patience.seconds)", "--cacert",
                            stage.authorityPath, "-x",
                            "http://127.0.0.1:\(stage.port)", "-o", output, "https://\(stage.authority)/x",
                        ],
                        environment: ["NO_PROXY": "", "no_proxy": ""]
                    )
                )
                #expect(result.isSuccess, "\(result)")
                #expect(try Data(contentsOf: URL(fileURLWithPath: output)) == Data(bytes))
            }
            await stage.stop()
        }
    }
}

import Foundation
import PinholeModel
import PinholeStore
import Testing

@Suite("Unreachable servers", .serialized)
struct UnreachableTests {
    /// Asks for a tunnel, and for a plain page, and gives both answers.
    private static func answers(_ authority: String, _ stage: Stage) async throws -> [Response] {
        try await blocking {
            try ["CONNECT \(authority)", "GET http://\(authority)/"].map { line in
                let client = try Connection(to: stage.port)
                try client.send("\(line) HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
                return try client.readResponse()
            }
        }
    }

    @Test("a name without an address is answered with 502")
    func unresolvable() async throws {
        var setup = Stage.Setup()
        setup.overrides = ["shop.example.test:*:127.0.0.1"]
        // RFC 6761 §6.4: no resolver knows a name below .invalid; one that is far away is not waited for.
        setup.environment = ["RES_OPTIONS": "timeout:1 attempts:1"]
        try await Stage.run(setup) { stage in
            for response in try await Self.answers("nowhere.invalid:443", stage) {
                #expect(response.status == 502)
                #expect(response.text.contains("nowhere.invalid"))
                #expect(response.text.contains("--resolve"))
            }
            try await stage.event { $0.type == "flow" && $0.outcome == "dialFailed" }
            try await stage.expectAlive()
            await stage.stop()
        }
    }

    @Test("a host that refuses is answered with 502")
    func refusing() async throws {
        let closed = try RawServer.refusing()
        try await Stage.run { stage in
            for response in try await Self.answers("shop.example.test:\(closed.port)", stage) {
                #expect(response.status == 502)
                #expect(response.text.contains("refused"), "\(response)")
            }
            let flow = try await stage.event { $0.type == "flow" && $0.outcome == "dialFailed" }
            #expect(flow.fault == "server")
            try await stage.expectAlive()
            let record = try #require(try await stage.capture().flows(limit: 10).last)
            #expect(record.dials.first?.failure?.contains("refused") == true)
        }
    }

    @Test("a host that never answers is answered with 504")
    func blackHole() async throws {
        // A backlog that is full: the kernel drops further SYNs.
        let hole = try RawServer(backlog: 0, nil)
        let filling = try (0..<8).map { _ in try PendingConnection(to: hole.port) }
        var setup = Stage.Setup()
        setup.configuration = #"{"limits": {"connectTimeoutSeconds": 0.3}}"#
        try await Stage.run(setup) { stage in
            for response in try await Self.answers("shop.example.test:\(hole.port)", stage) {
                #expect(response.status == 504)
            }
            try await stage.event { $0.type == "flow" && $0.outcome == "dialFailed" }
            try await stage.expectAlive()
            await stage.stop()
        }
        withExtendedLifetime(filling) {}
    }

    @Test("a server that is not a TLS server gives a 502 page that says so")
    func notTLS() async throws {
        let server = try RawServer { connection, _ in
            _ = try connection.read(1)
            try connection.send("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\nspeak HTTP")
            _ = try connection.readToEnd()
        }
        try await Stage.run { stage in
            let (response, port) = try await blocking {
                let client = try stage.tunnel("shop.example.test:\(server.port)")
                try client.send("GET / HTTP/1.1\r\nHost: shop.example.test\r\n\r\n")
                return (try client.readResponse(), client.localPort)
            }
            #expect(response.status == 502)
            #expect(response.text.contains("TLS"), "\(response)")
            let flow = try await stage.flow(from: port)
            #expect(flow.handshakeFailure?.cause == "notTLS")
            #expect(flow.handshakeFailure?.peer == "server")
            try await stage.expectAlive()
            await stage.stop()
        }
    }

    @Test("a server that says nothing in the handshake is given up at the deadline")
    func silentServer() async throws {
        let server = try RawServer { connection, _ in _ = try connection.readToEnd() }
        var setup = Stage.Setup()
        setup.configuration = #"{"limits": {"handshakeTimeoutSeconds": 2}}"#
        try await Stage.run(setup) { stage in
            let (response, port) = try await blocking {
                let client = try stage.tunnel("shop.example.test:\(server.port)")
                try client.send("GET / HTTP/1.1\r\nHost: shop.example.test\r\n\r\n")
                return (try client.readResponse(), client.localPort)
            }
            #expect([502, 504].contains(response.status))
            #expect(try await stage.flow(from: port).handshakeFailure?.cause == "timedOut")
            await stage.stop()
        }
    }
}

/// A connection that was asked for and is not waited for.
final class PendingConnection: Sendable {
    private let descriptor: Int32

    init(to port: UInt16) throws {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        descriptor = socket(AF_INET, kind, 0)
        guard descriptor >= 0 else { throw ConnectionFailure.broken(errno) }
        var address = loopback(port: port)
        let descriptor = descriptor
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    deinit { close(descriptor) }
}

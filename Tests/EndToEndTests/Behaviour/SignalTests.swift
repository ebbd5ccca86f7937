import Foundation
import PinholeCrypto
import PinholeLab
import PinholeModel
import PinholeStore
import PinholeTestKit
import Testing

@Suite("Signals", .serialized)
struct SignalTests {
    /// A server that sends half of a response, and the rest when it is told to.
    private static func halves(_ server: ServerTLS, until told: Mailbox<Bool>) throws -> RawServer {
        try RawServer { connection, _ in
            try server.accept(connection)
            _ = try connection.read(through: "\r\n\r\n")
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n01234")
            guard try told.take() else { return }
            try connection.send("56789")
        }
    }

    @Test(
        "SIGTERM lets a running download finish, closes idle connections and ends with 0",
        arguments: [SIGTERM, SIGINT]
    )
    func drains(signal: Int32) async throws {
        let server = try ServerTLS()
        let told = Mailbox<Bool>()
        let raw = try Self.halves(server, until: told)
        var setup = Stage.Setup()
        setup.serverRoots = [server.root]
        try await Stage.run(setup) { stage in
            try await blocking {
                let idle = try stage.tunnel()
                let client = try stage.tunnel("shop.example.test:\(raw.port)")
                try client.send("GET / HTTP/1.1\r\nHost: shop.example.test\r\n\r\n")
                #expect(try client.readHead().status == 200)
                #expect(try client.read(5) == Array("01234".utf8))
                stage.process.send(signal: signal)
                // The idle connection's end says that draining has begun.
                #expect(try idle.readToEnd() == [])
                told.put(true)
                #expect(try client.read(5) == Array("56789".utf8))
                #expect(try client.readToEnd() == [])
            }
            let result = await stage.process.result()
            #expect(result.exit == .code(0), "\(result)")
            #expect(result.errorText.contains(/waiting up to 10\.0 s for \d open connection/), "\(result)")
            #expect(result.errorText.contains("press Ctrl-C again"), "\(result)")
            let exchanges = try CaptureReader(path: stage.capturePath).exchanges(limit: 10)
            #expect(exchanges.map(\.outcome) == [.completed])
        }
    }

    @Test("SIGTERM records the end of each connection to a server that waited for the next request")
    func recordsEnds() async throws {
        var setup = Stage.Setup()
        setup.arguments = ["--keep-packets"]
        try await Stage.run(setup) { stage in
            // Several clients, so that both loops keep connections.
            try await blocking { for _ in 0..<8 { _ = try stage.get("/json") } }
            let reader = try await stage.capture()
            var open: [Int64] = []
            var opened = 0
            for flow in try reader.flows(limit: 100) {
                try reader.packets(of: flow.id) { packet throws(CaptureFailure) in
                    let key = packet.flow.rawValue << 8 | packet.connection
                    if packet.kind == .opened {
                        open.append(key)
                        opened += 1
                    }
                    if packet.kind == .closed { open.removeAll { $0 == key } }
                }
            }
            #expect(open == [])
            #expect(opened > 8)
        }
    }

    @Test("a second SIGTERM stops at once")
    func stopsAtOnce() async throws {
        let server = try ServerTLS()
        let told = Mailbox<Bool>()
        let raw = try Self.halves(server, until: told)
        var setup = Stage.Setup()
        setup.serverRoots = [server.root]
        setup.configuration = #"{"limits": {"drainTimeoutSeconds": \#(2 * Patience.seconds)}}"#
        try await Stage.run(setup) { stage in
            try await blocking {
                let idle = try stage.tunnel()
                let client = try stage.tunnel("shop.example.test:\(raw.port)")
                try client.send("GET / HTTP/1.1\r\nHost: shop.example.test\r\n\r\n")
                #expect(try client.readHead().status == 200)
                stage.process.send(signal: SIGTERM)
                #expect(try idle.readToEnd() == [])
                stage.process.send(signal: SIGTERM)
                #expect(try client.readToEnd() == Array("01234".utf8))
            }
            let result = await stage.process.result()
            #expect(result.exit == .code(0), "\(result)")
        }
        told.put(false)
    }

    @Test("SIGHUP reads the configuration again, and keeps the old one when the new one is wrong")
    func reloads() async throws {
        var setup = Stage.Setup()
        setup.configuration = "{}"
        try await Stage.run(setup) { stage in
            try await stage.expectAlive()
            try stage.directory.write(#"{"tls": {"passthrough": ["shop.example.test"]}}"#, to: "config.json")
            stage.process.send(signal: SIGHUP)
            _ = try await stage.process.line(from: .errorOutput) { $0.contains("read again") }
            let real = ClientTLS(anchors: [stage.origin.authority.root])
            try await blocking { _ = try stage.tunnel(nil, real) }
            try stage.directory.write(#"{"tsl": {}}"#, to: "config.json")
            stage.process.send(signal: SIGHUP)
            _ = try await stage.process.line(from: .errorOutput) { $0.contains("stays as it was") }
            try await blocking { _ = try stage.tunnel(nil, real) }
            await stage.stop()
        }
    }

    @Test("SIGHUP without the file that was found at the start leaves the password where it was")
    func lostConfiguration() async throws {
        var setup = Stage.Setup()
        setup.prepare = { _, directory in
            try directory.write(#"{"proxy": {"credentials": "bob:secret"}}"#, to: "config.json")
        }
        try await Stage.run(setup) { stage in
            let ask = { @Sendable in
                let client = try Connection(to: stage.port)
                try client.send("CONNECT shop.example.test:443 HTTP/1.1\r\nHost: shop.example.test\r\n\r\n")
                return try client.readResponse().status
            }
            #expect(try await blocking(ask) == 407)
            try FileManager.default.removeItem(atPath: stage.directory.file("config.json"))
            stage.process.send(signal: SIGHUP)
            _ = try await stage.process.line(from: .errorOutput) { $0.contains("stays as it was") }
            #expect(try await blocking(ask) == 407)
            await stage.stop()
        }
    }

    @Test("SIGHUP refuses a configuration that takes the password from a listener for other machines")
    func reloadWithoutPassword() async throws {
        var setup = Stage.Setup()
        setup.configuration = #"{"proxy": {"credentials": "bob:secret"}}"#
        setup.arguments = ["--listen", "0.0.0.0:0"]
        setup.replacesListen = true
        try await Stage.run(setup) { stage in
            let ask = { @Sendable in
                let client = try Connection(to: stage.port)
                try client.send("CONNECT shop.example.test:443 HTTP/1.1\r\nHost: shop.example.test\r\n\r\n")
                return try client.readResponse().status
            }
            #expect(try await blocking(ask) == 407)
            try stage.directory.write("{}", to: "config.json")
            stage.process.send(signal: SIGHUP)
            let note = try await stage.process.line(from: .errorOutput) { $0.contains("stays as it was") }
            #expect(note.contains("can be reached from other machines"), "\(note)")
            #expect(try await blocking(ask) == 407)
            await stage.stop()
        }
    }

    /// The paths of the exchanges of a capture that have ended well.
    private static func completed(in capture: String) throws -> Set<String> {
        let exchanges = try CaptureReader(path: capture).exchanges(limit: .max)
        return Set(exchanges.filter { $0.outcome == .completed }.map(\.path))
    }

    @Test("after kill -9 the capture opens clean and has every record written before")
    func killed() async throws {
        let directory = try TemporaryDirectory(prefix: "pinhole-e2e")
        let written = try await Stage.run { stage in
            let loads = (0..<4).map { lane in
                Task {
                    try await blocking {
                        let client = try stage.tunnel()
                        for number in 0..<100_000 {
                            let path = "/bytes/\(lane)\(number)"
                            try client.send("GET \(path) HTTP/1.1\r\nHost: shop.example.test\r\n\r\n")
                            _ = try client.readResponse()
                        }
                    }
                }
            }
            // The writer goes on meanwhile, so the process ends amid several batches.
            let written = try await Patience.poll {
                let paths = try Self.completed(in: stage.capturePath)
                return paths.count >= 200 ? paths : nil
            }
            stage.process.send(signal: SIGKILL)
            _ = await stage.process.result()
            for load in loads { _ = await load.result }
            for name in try FileManager.default.contentsOfDirectory(atPath: stage.directory.path)
            where name.hasPrefix("capture.sqlite") {
                try directory.write(stage.directory.read(name), to: name)
            }
            return try #require(written)
        }
        let path = directory.file("capture.sqlite")
        let store = try CaptureStore.open(.init(path: path), now: Timestamp(seconds: 1_800_000_000))
        store.close()
        #expect(written.subtracting(try Self.completed(in: path)) == [])
    }
}

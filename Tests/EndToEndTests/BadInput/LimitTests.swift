import Foundation
import PinholeModel
import PinholeStore
import PinholeTestKit
import Testing

@Suite("Limits", .serialized)
struct LimitTests {
    private static let newerConnection = "gave way to a newer connection"

    @Test("a process that runs out of descriptors accepts again when there are some")
    func descriptors() async throws {
        var setup = Stage.Setup()
        setup.preamble = "ulimit -n 64"
        try await Stage.run(setup) { stage in
            try await stage.expectAlive()
            try await blocking {
                let request = "GET http://pinhole.test/ HTTP/1.1\r\nHost: pinhole.test\r\n\r\n"
                // Served, so it is accepted: which of those below are is a matter of luck.
                let first = try Connection(to: stage.port)
                try first.send(request)
                #expect(try first.readResponse().status == 200)
                // More than there are descriptors for; the rest waits in the kernel's queue.
                let idle = try (0..<120).map { _ in try Connection(to: stage.port) }
                // The proxy takes them until it has no more; then one that it took is still served.
                #expect(throws: Never.self) {
                    try first.send(request)
                    #expect(try first.readResponse().status == 200)
                }
                // A connection that its client ends first does not give way. So all stay open until one has.
                let gone = Patience.pollBlocking { stage.events.first { $0.detail == Self.newerConnection } }
                #expect(gone != nil)
                for connection in [first] + idle { connection.close() }
                // Connections that wait in the other loop's queue may still push out the one that asks.
                #expect(Patience.pollBlocking { try? stage.get("/json") }?.status == 200)
            }
            let result = await stage.stop()
            #expect(
                result.errorText.contains("open files"),
                "it says what it ran out of: \(result.errorText)"
            )
            let flows = try CaptureReader(path: stage.capturePath).flows(limit: 500)
            #expect(flows.contains { $0.outcome?.detail == Self.newerConnection })
        }
    }

    @Test("no more tunnels than limits.tunnels are served; the next waits for one to end")
    func tunnels() async throws {
        var setup = Stage.Setup()
        setup.configuration = #"{"limits": {"tunnels": 4}}"#
        try await Stage.run(setup) { stage in
            try await blocking {
                let request = "GET http://pinhole.test/ HTTP/1.1\r\nHost: pinhole.test\r\n\r\n"
                for _ in 0..<8 {
                    // One after the other: a new connection without a request gives way to a newer one while the
                    // proxy has not yet read the ends of the round before.
                    let served = try (0..<4).map { _ in
                        let client = try Connection(to: stage.port)
                        try client.send(request)
                        #expect(try client.readResponse().status == 200)
                        return client
                    }
                    let waiting = try Connection(to: stage.port)
                    try waiting.send(request)
                    for client in served {
                        // It is served still, so it is the fifth one that waits.
                        try client.send(request)
                        #expect(try client.readResponse().status == 200)
                    }
                    served.first?.close()
                    #expect(try waiting.readResponse().status == 200)
                    for client in served.dropFirst() { client.close() }
                    waiting.close()
                }
            }
            try await stage.expectAlive()
            await stage.stop()
        }
    }
}

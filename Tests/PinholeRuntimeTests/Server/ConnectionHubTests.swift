import PinholeModel
import PinholeTestKit
import Synchronization
import Testing

@testable import PinholeRuntime

/// Connections of an embedded server that have ended, with a client on loopback.
@Suite("ConnectionHub", .patience)
struct ConnectionHubTests {
    /// Sends many bytes, and ends.
    private struct Talker: ServedConnection, ~Copyable {
        var inbox = ByteQueue()
        var outbox: ByteQueue
        var ending: ConnectionEnding? { .close }
        var wake: Timestamp? { nil }
        var wantsRead: Bool { true }
        var hasMoreToSay: Bool { false }

        init(_ count: Int) { outbox = ByteQueue([UInt8](repeating: 7, count: count)) }

        mutating func advance(at now: Timestamp) { inbox.removeAll() }
        var standing: Admission.Standing { .busy(nil) }

        mutating func turnAway(at now: Timestamp) {}

        mutating func ended(at now: Timestamp) {}
    }

    /// More than the buffers of two sockets hold.
    private static let size = 32 << 20

    /// Runs a body with a client that is connected to a server, whose connections have a patience.
    private func withClient(
        patience: Duration,
        _ body: (_ client: LoopbackConnection, _ count: ConnectionCount) async throws -> Void
    ) async throws {
        let loop = try EventLoop(number: 0)
        let count = ConnectionCount()
        loop.start()
        defer {
            loop.post { loop in
                (loop.owner as? ConnectionHub<Talker>)?.stop(on: loop)
                loop.owner = nil
                loop.stop()
            }
        }
        let opened: Result<SocketAddress, SystemFailure> = await withCheckedContinuation { continuation in
            loop.post { loop in
                let hub = ConnectionHub(.embedded, count: count, patience: patience) { _, _ in
                    Talker(Self.size)
                }
                loop.owner = hub
                continuation.resume(
                    returning: Result { () throws(SystemFailure) in
                        try hub.listen(on: SocketAddress(.loopback, port: 0), on: loop)
                    }
                )
            }
        }
        let port = try opened.get().port
        let client = try LoopbackConnection(port: port)
        try await body(client, count)
    }

    @Test("a peer that does not read the last bytes is cut off")
    func stalled() async throws {
        try await withClient(patience: .milliseconds(50)) { client, count in
            while count.accepted.load(ordering: .relaxed) == 0 { await Task.yield() }
            while count.open.load(ordering: .relaxed) > 0 { await Task.yield() }
            _ = client
        }
    }

    @Test("a peer that reads gets the last byte, too")
    func reading() async throws {
        try await withClient(patience: Patience.limit) { client, _ in
            #expect(client.countOfRest() == Self.size)
        }
    }
}

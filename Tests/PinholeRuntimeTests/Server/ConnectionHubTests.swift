import Glibc
import PinholeModel
import PinholeTestKit
import Synchronization
import Testing

@testable import PinholeRuntime

/// Connections of an embedded server that have ended, with a client on loopback.
@Suite("ConnectionHub", .timeLimit(.minutes(10)))
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
        mutating func ended(at now: Timestamp) {}
    }

    /// More than the buffers of two sockets hold.
    private static let size = 32 << 20

    /// Runs a body with a client that is connected to a server, whose connections have a patience.
    private func withClient(
        patience: Duration,
        _ body: (_ client: Int32, _ count: ConnectionCount) async throws -> Void
    ) async throws {
        let loop = try EventLoop(number: 0)
        let count = ConnectionCount()
        loop.start()
        defer {
            loop.post { loop in
                (loop.tenant as? ConnectionHub<Talker>)?.stop(on: loop)
                loop.tenant = nil
                loop.stop()
            }
        }
        let opened: Result<SocketAddress, SystemFailure> = await withCheckedContinuation { continuation in
            loop.post { loop in
                let hub = ConnectionHub(count: count, patience: patience) { _, _ in Talker(Self.size) }
                loop.tenant = hub
                continuation.resume(
                    returning: Result { () throws(SystemFailure) in
                        try hub.listen(on: SocketAddress(.loopback, port: 0), on: loop)
                    }
                )
            }
        }
        let port = try opened.get().port
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(client) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(result == 0)
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
        try await withClient(patience: .seconds(60)) { client, _ in
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            var total = 0
            while case let count = recv(client, &buffer, buffer.count, 0), count > 0 { total += count }
            #expect(total == Self.size)
        }
    }
}

import PinholeLock
import PinholeModel
import PinholeTestKit
import Synchronization
import Testing

@testable import PinholeRuntime

/// The limit on the connections of a server, alone and with real connections on loopback.
@Suite("ConnectionLimiter", .patience)
struct ConnectionLimiterTests {
    /// Answers each byte: `?` is no accepted request, and any other byte is one.
    private struct Echo: ServedConnection, ~Copyable {
        var inbox = ByteQueue()
        var outbox = ByteQueue()
        var ending: ConnectionEnding?
        var wake: Timestamp? { nil }
        var wantsRead: Bool { true }
        var hasMoreToSay: Bool { false }
        var standing = Admission.Standing.stranger

        mutating func advance(at now: Timestamp) {
            guard !inbox.isEmpty else { return }
            standing = inbox.slice().last == UInt8(ascii: "?") ? .stranger : .idle(.account(1))
            inbox.move(inbox.count, to: &outbox)
        }

        mutating func turnAway(at now: Timestamp) { ending = .close }
        mutating func ended(at now: Timestamp) { ending = .close }
    }

    private static let bounds = AdmissionBounds(
        strangers: 4,
        strangerTime: Patience.limit,
        places: 2,
        share: 2,
        idleTime: Patience.limit
    )

    private func withServer(
        _ bounds: AdmissionBounds = Self.bounds,
        _ body: (_ port: UInt16, _ count: ConnectionCount) async throws -> Void
    ) async throws {
        let loop = try EventLoop(number: 0)
        let count = ConnectionCount()
        loop.start()
        defer {
            loop.post { loop in
                (loop.owner as? ConnectionHub<Echo>)?.stop(on: loop)
                loop.owner = nil
                loop.stop()
            }
        }
        let opened: Result<SocketAddress, SystemFailure> = await withCheckedContinuation { continuation in
            loop.post { loop in
                let hub = ConnectionHub(bounds, count: count) { _, _ in Echo() }
                loop.owner = hub
                continuation.resume(
                    returning: Result { () throws(SystemFailure) in
                        try hub.listen(on: SocketAddress(.loopback, port: 0), on: loop)
                    }
                )
            }
        }
        try await body(try opened.get().port, count)
    }

    @Test("the place of a connection is free when its socket is closed")
    func place() {
        let limiter = ConnectionLimiter(Self.bounds)
        let place = limiter.arrive(from: .unknown, at: Timestamp(seconds: 1))
        #expect(limiter.count == 1)
        place.release()
        #expect(limiter.count == 0)
        place.release()
        do {
            let other = limiter.arrive(from: .unknown, at: Timestamp(seconds: 1))
            #expect(limiter.count == 1)
            _ = other
        }
        #expect(limiter.count == 0)
    }

    @Test("without descriptors, no further connection gives way before the socket of the last one is closed")
    func relief() {
        let limiter = ConnectionLimiter(Self.bounds)
        let told = Lock(0)
        let places = (0..<3).map { _ in limiter.arrive(from: .unknown, at: Timestamp(seconds: 1)) }
        for place in places { place.onEviction { _ in told.withLock { $0 += 1 } } }
        ConnectionLimiter.relieve([limiter])
        ConnectionLimiter.relieve([limiter])
        #expect(told.withLock(\.self) == 1)
        #expect(limiter.count == 2)
        places[0].release()
        ConnectionLimiter.relieve([limiter])
        #expect(told.withLock(\.self) == 2)
        for place in places { place.release() }
        #expect(limiter.count == 0)
    }

    @Test("a connection that gave way before its owner said how it is closed is closed at once")
    func lateOwner() {
        let limiter = ConnectionLimiter(Self.bounds)
        let closed = Atomic<Int>(0)
        let places = (0..<5).map { _ in limiter.arrive(from: .unknown, at: Timestamp(seconds: 1)) }
        for place in places {
            place.onEviction { if $0 == .place { closed.add(1, ordering: .relaxed) } }
        }
        #expect(closed.load(ordering: .relaxed) == 1 && limiter.count == 4)
    }

    @Test("connections end after their time")
    func sweep() {
        var bounds = Self.bounds
        bounds.strangerTime = .seconds(600)
        let limiter = ConnectionLimiter(bounds)
        let closed = Atomic<Int>(0)
        let place = limiter.arrive(from: .unknown, at: Timestamp(seconds: 0))
        place.onEviction { if $0 == .time { closed.add(1, ordering: .relaxed) } }
        #expect(limiter.sweep(at: Timestamp(seconds: 599)) == Timestamp(seconds: 600))
        #expect(limiter.sweep(at: Timestamp(seconds: 600)) == nil)
        #expect(closed.load(ordering: .relaxed) == 1)
    }

    @Test("strangers take no place of a connection with an accepted request, and the oldest one gives way")
    func strangers() async throws {
        try await withServer { port, count in
            let known = try LoopbackConnection(port: port)
            #expect(try known.exchange("a") == "a")
            let unfinished = try (0..<20).map { _ in try LoopbackConnection(port: port) }
            #expect(try await Patience.wait { count.accepted.load(ordering: .relaxed) >= 21 })
            #expect(try await Patience.wait { count.open.load(ordering: .relaxed) <= 5 })
            #expect(try known.exchange("b") == "b")
            // A newcomer is served among the strangers.
            let newcomer = try LoopbackConnection(port: port)
            #expect(try newcomer.exchange("c") == "c")
            #expect(unfinished[0].countOfRest() == 0)
        }
    }

    @Test("the longest idle connection of an account gives way to another one of it")
    func idle() async throws {
        try await withServer { port, _ in
            let connections = try (0..<3).map { _ in try LoopbackConnection(port: port) }
            for connection in connections { #expect(try connection.exchange("a") == "a") }
            #expect(connections[0].countOfRest() == 0)
            for connection in connections.dropFirst() { #expect(try connection.exchange("b") == "b") }
        }
    }

    @Test("strangers end after their time, also if they send something")
    func patience() async throws {
        var bounds = Self.bounds
        bounds.strangerTime = .milliseconds(50)
        try await withServer(bounds) { port, count in
            let connection = try LoopbackConnection(port: port)
            try? connection.send("?")
            #expect(try await Patience.wait { count.accepted.load(ordering: .relaxed) > 0 })
            #expect(try await Patience.wait { count.open.load(ordering: .relaxed) <= 0 })
            _ = connection
        }
    }
}

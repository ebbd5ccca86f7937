import PinholeCrypto
import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeProxy

/// ClientHellos with a post-quantum share, which OpenSSL 3.0 does not know, that end after any byte.
///
/// Each leaves a closed flow with an outcome, and nothing traps.
@Suite("Post-quantum ClientHellos that are cut at every byte")
struct PostQuantumWalkTests {
    typealias Ending = OpeningWalk.Ending
    typealias Leg = OpeningWalk.Leg

    /// The number of bytes in a TCP segment: a ClientHello comes in four of them.
    private static let segment = 536

    /// A client before its first byte of TLS, with a server that is ready for it.
    private func open(_ leg: Leg, _ walk: OpeningWalk) throws -> StackHarness {
        let harness = try StackHarness(Tunnels.world, environment: walk.environment)
        let server = try walk.serverPeer()
        harness.onDial = { _ in .connect(server) }
        if leg == .client {
            harness.client.send(OpeningWalk.request)
            harness.pump()
            harness.client.clear()
        }
        harness.chunk = Self.segment
        return harness
    }

    private func hello(_ leg: Leg, sharesX25519: Bool) -> CraftedClientHello {
        CraftedClientHello(
            postQuantumFor: leg == .client ? "www.example.com" : nil,
            sharesX25519: sharesX25519
        )
    }

    private func send(_ bytes: some Sequence<UInt8>, to harness: StackHarness) {
        harness.client.send(bytes)
        #expect(harness.pump())
    }

    private func end(_ harness: StackHarness, _ ending: Ending) {
        ending.act(on: harness.client)
        #expect(harness.pump())
        for _ in 0..<4 where !harness.isClosed { harness.expire() }
        harness.checkEnd()
    }

    /// Whether the proxy's first message is a HelloRetryRequest, by its random (RFC 8446 §4.1.3); `nil` if the proxy
    /// has sent no ServerHello.
    private func isRetry(_ harness: StackHarness) -> Bool? {
        let received = harness.client.received
        guard received.count > 43, received[0] == 22, received[5] == 2 else { return nil }
        return received[11..<15] == [0xcf, 0x21, 0xad, 0x74]
    }

    @Test(
        "a ClientHello that its client leaves after any byte ends with its record",
        arguments: [Leg.client, .proxy],
        [false, true]
    )
    func hellos(leg: Leg, sharesX25519: Bool) throws {
        let walk = try OpeningWalk(.init(.tls13))
        let bytes = hello(leg, sharesX25519: sharesX25519).record
        #expect((1600...1800).contains(bytes.count), "\(bytes.count)")
        for count in bytes.indices {
            let harness = try open(leg, walk)
            send(bytes.prefix(count), to: harness)
            #expect(harness.client.received.isEmpty)
            end(harness, .turn(count))
        }
        for ending in Ending.allCases {
            let harness = try open(leg, walk)
            send(bytes, to: harness)
            #expect(isRetry(harness) == !(sharesX25519 || TLSLibrary.isPostQuantum))
            end(harness, ending)
            let record = try #require(harness.flow?.clientHandshake)
            #expect(record.version == "TLSv1.3" && record.failure != nil)
            #expect(harness.flow?.clientHello?.groups.first == 0x11ec)
            #expect(harness.flow?.outcome?.kind == .handshakeFailed)
        }
    }

    // Each cut costs a handshake with the server, so only every seventh byte is cut: at a prime step, the cuts fall on
    // all parts of the message.
    @Test(
        "a ClientHello after a HelloRetryRequest that its client leaves at any extension ends with its record",
        arguments: [Leg.client, .proxy]
    )
    func retries(leg: Leg) throws {
        let walk = try OpeningWalk(.init(.tls13))
        // X25519Kyber768Draft00, which no OpenSSL has: each version asks for another share.
        let draft: UInt16 = 0x6399
        var first = hello(leg, sharesX25519: false)
        first.groups = [draft, CraftedClientHello.KeyShare.x25519.group]
        first.shares = [.init(group: draft, key: CraftedClientHello.KeyShare.x25519MLKEM768.key)]
        let bytes = first.retriedRecords
        for (turn, count) in (Array(stride(from: 0, to: bytes.count, by: 7)) + [bytes.count]).enumerated() {
            let harness = try open(leg, walk)
            send(first.record, to: harness)
            #expect(isRetry(harness) == true)
            harness.client.clear()
            send(bytes.prefix(count), to: harness)
            #expect(isRetry(harness) == (count == bytes.count ? false : nil))
            end(harness, .turn(turn))
            #expect(harness.flow?.outcome?.kind == .handshakeFailed)
        }
    }

    // A record of one byte or a segment of one byte is the most that a client can cut.
    @Test(
        "each recorded ClientHello is answered, in records and segments of any size",
        arguments: RecordedClientHello.allCases,
        [Leg.client, .proxy]
    )
    func programs(hello: RecordedClientHello, leg: Leg) throws {
        let walk = try OpeningWalk(.init(.tls13))
        for (records, segment) in [(1, 16384), (5, 3), (64, 1), (517, 536), (16384, 1), (16384, 1460)] {
            let harness = try open(leg, walk)
            harness.chunk = segment
            send(hello.records(of: records), to: harness)
            #expect(isRetry(harness) == false, "records of \(records), segments of \(segment)")
            end(harness, .turn(segment))
            #expect(harness.flow?.clientHello?.serverName == hello.serverName)
        }
    }

    @Test("a ClientHello of 50 KB in records of one byte is answered", arguments: [Leg.client, .proxy])
    func joined(leg: Leg) throws {
        let harness = try open(leg, OpeningWalk(.init(.tls13)))
        harness.chunk = 16384
        var large = hello(leg, sharesX25519: true)
        large.applicationProtocols += (100..<300).map { String(repeating: "\($0)", count: 83) }
        send(large.record.dropFirst(5).flatMap { [22, 3, 1, 0, 1, $0] }, to: harness)
        #expect(isRetry(harness) == false)
        end(harness, .turn(0))
        #expect(harness.flow?.clientHello?.applicationProtocols.count == 201)
    }
}

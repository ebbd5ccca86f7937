import Foundation
import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeProxy

/// Both sides say anything, cut anywhere, in any order: nothing traps, nothing grows, all of it ends.
///
/// `PINHOLE_FUZZ_SECONDS` makes it longer, `PINHOLE_FUZZ_SEED` different.
@Suite("StackFuzz")
struct StackFuzzTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let seconds = environment["PINHOLE_FUZZ_SECONDS"].flatMap { Double($0) }
    private static let seed = environment["PINHOLE_FUZZ_SEED"].flatMap { UInt64($0) } ?? 1

    private static let requests = [
        "GET /a HTTP/1.1\r\nHost: www.example.com\r\n\r\n",
        "GET http://www.example.com/a HTTP/1.1\r\nHost: www.example.com\r\n\r\n",
        "GET http://b.test/a HTTP/1.0\r\n\r\n", "HEAD / HTTP/1.1\r\nHost: www.example.com\r\n\r\n",
        "POST http://b.test/ HTTP/1.1\r\nHost: b.test\r\nContent-Length: 5\r\n\r\nhello",
        "PUT /c HTTP/1.1\r\nHost: www.example.com\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n0\r\nA: b\r\n\r\n",
        "POST /e HTTP/1.1\r\nHost: www.example.com\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nok",
        "GET /w HTTP/1.1\r\nHost: www.example.com\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nrelayed",
        "GET /w HTTP/1.1\r\nHost: www.example.com\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n",
        "\u{2}\u{7e}\u{1}\u{2}", "\u{1}\u{0}\u{9}\u{0}",
        "CONNECT www.example.com:443 HTTP/1.1\r\nHost: www.example.com:443\r\n\r\n",
        "GET http://pinhole.test/ HTTP/1.1\r\nHost: pinhole.test\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
    ]
    private static let responses = [
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", "HTTP/1.1 204 No Content\r\n\r\n",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
        "HTTP/1.0 200 OK\r\n\r\nuntil the end", "HTTP/1.1 304 Not Modified\r\n\r\n",
        "HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nrelayed",
        "HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n\u{2}\u{1}a\u{0}\u{1}b",
        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
    ]
    private static let pieces = [
        "\r\n", "\n", "\0", ":", " ", "0\r\n\r\n", "Content-Length: 3\r\n", "Transfer-Encoding: chunked\r\n",
        "Host: b\r\n", "Connection: close\r\n", "ffffffffffffffff\r\n",
    ]

    private static func message(_ corpus: [String], _ random: inout SeededRandom) -> [UInt8] {
        var bytes = Array((corpus.randomElement(using: &random) ?? "").utf8)
        guard Int.random(in: 0..<3, using: &random) == 0, !bytes.isEmpty else { return bytes }
        let index = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.removeSubrange(index...)
        case 2: bytes.insert(contentsOf: bytes[index...], at: index)
        case 3: bytes.insert(contentsOf: (pieces.randomElement(using: &random) ?? "").utf8, at: index)
        default: bytes.swapAt(index, 0)
        }
        return bytes
    }

    /// One life of a tunnel.
    private func round(_ random: inout SeededRandom) throws {
        let world = try Tunnels.world
        let kind = Int.random(in: 0..<10, using: &random)
        let chunk = Int.random(in: 1...400, using: &random)
        var policy = world.policy()
        policy.limits.outputHighWater = Int.random(in: 1...2000, using: &random)
        policy.limits.bodyInline = 4
        let harness =
            kind == 0
            ? try Tunnels.intercepted(chunk: chunk, policy: policy)
            : try Tunnels.plain(chunk: chunk, policy: policy)
        if kind > 0 {
            let failsDials = kind == 1
            harness.onDial = { target in
                if failsDials { return .fail(DialFailure(.timedOut, "no answer")) }
                return kind == 2 ? .wait : .connect(TestPeer())
            }
        }
        for _ in 0..<Int.random(in: 1...25, using: &random) { act(on: harness, &random) }
        try finish(harness)
    }

    private func act(on harness: StackHarness, _ random: inout SeededRandom) {
        switch Int.random(in: 0..<24, using: &random) {
        case 0..<7: harness.client.send(Self.message(Self.requests, &random))
        case 7..<14: harness.server?.send(Self.message(Self.responses, &random))
        case 14: harness.client.close(notifies: Bool.random(using: &random))
        case 15: harness.server?.close(notifies: Bool.random(using: &random))
        case 16: if Int.random(in: 0..<3, using: &random) == 0 { harness.client.reset() }
        case 17: harness.server?.reset()
        case 18: harness.client.isReading.toggle()
        case 19: harness.server?.isReading.toggle()
        case 20: harness.expire()
        case 21: harness.answerDial(.connect(TestPeer()))
        default: for _ in 0..<Int.random(in: 1...30, using: &random) { _ = harness.step() }
        }
        if Int.random(in: 0..<3, using: &random) == 0 { harness.pump() }
    }

    private func finish(_ harness: StackHarness) throws {
        harness.client.isReading = true
        harness.server?.isReading = true
        try #require(harness.pump(), "seed \(Self.seed): a livelock")
        harness.client.reset()
        try #require(harness.pump(), "seed \(Self.seed): a livelock")
        for _ in 0..<8 where !harness.isClosed {
            harness.expire()
            harness.pump()
        }
        #expect(harness.mostBuffered < 600 << 10)
        harness.checkEnd()
    }

    @Test("nothing traps, nothing grows, and all of it ends")
    func fuzz() throws {
        var random = SeededRandom(seed: Self.seed)
        let start = ContinuousClock.now
        var count = 0
        while count < 400 || start.duration(to: .now) < .seconds(Self.seconds ?? 0) {
            let before = random
            do {
                try round(&random)
            } catch {
                Issue.record("round \(count) with \(before): \(error)")
                throw error
            }
            count += 1
        }
    }
}

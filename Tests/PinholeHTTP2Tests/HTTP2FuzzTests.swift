import Foundation
import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeHTTP2

/// Bytes that no peer should send: no trap, bounded memory, and a failure that says why.
///
/// `PINHOLE_FUZZ_SECONDS` makes it longer, `PINHOLE_FUZZ_SEED` different.
@Suite("Fuzzing HTTP/2")
struct HTTP2FuzzTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let seconds = environment["PINHOLE_FUZZ_SECONDS"].flatMap { Double($0) }
    private static let first = environment["PINHOLE_FUZZ_SEED"].flatMap { UInt64($0) } ?? 1

    /// Calls `round` with one seed after the other.
    private func rounds(_ count: UInt64, _ round: (UInt64) throws -> Void) rethrows {
        let end = ContinuousClock.now + .seconds(Self.seconds ?? 0)
        var seed = Self.first
        while seed < Self.first + count || ContinuousClock.now < end {
            try round(seed)
            seed += 1
        }
    }

    private static let corpus: [[UInt8]] = [
        Frame.headers(1, flags: Frame.endHeaders), Frame.headers(3), Frame.data(1, "body"),
        Frame.data(1, flags: 1),
        Frame.headers(1, ["x": "y"]), Frame.reset(3), Frame.settings([4: 100, 3: 1]), Frame.settingsACK,
        Frame.ping(), Frame.windowUpdate(0, 100), Frame.windowUpdate(1, 100), Frame.goAway(last: 0),
        Frame.any(2, stream: 5, [0, 0, 0, 0, 1]), Frame.priorityUpdate(7, "u=2"),
        Frame.any(2, stream: 1, [0, 0, 0, 1, 1]), Frame.any(2, stream: 3, [0, 0, 0, 3, 1]), Frame.reset(1),
        Frame.any(0, flags: 8, stream: 3, [2, 0x61, 0, 0]), Frame.data(3, flags: 1), Frame.headers(7),
        Frame.headers(5, flags: 0), Frame.continuation(5, HPACK.literal("a", "b", first: 0x40)),
        Frame.any(0x42, stream: 1, [1, 2]), Frame.headers(1, [":status": "200"], flags: Frame.endHeaders),
        Frame.headers(1, [":status": "103"], flags: Frame.endHeaders), Frame.headers(1, [":status": "200"]),
    ]

    @Test("random bytes", arguments: [HTTP2Session.Role.server, .client])
    func bytes(role: HTTP2Session.Role) {
        rounds(200) { seed in
            var random = SeededRandom(seed: seed)
            let peer = HandMadePeer(role)
            if Bool.random(using: &random) { peer.open() }
            peer.feed((0..<500).map { _ in UInt8.random(in: 0...255, using: &random) })
        }
    }

    @Test("frames in any order, some of them changed", arguments: [HTTP2Session.Role.server, .client])
    func frames(role: HTTP2Session.Role) throws {
        try rounds(400) { seed in
            var random = SeededRandom(seed: seed)
            let peer = HandMadePeer(role, chunk: Int.random(in: 1...64, using: &random))
            peer.open()
            if role == .client { _ = try peer.session.request(.post(), endsStream: false) }
            for _ in 0..<20 {
                var frame = try #require(Self.corpus.randomElement(using: &random))
                if Int.random(in: 0..<4, using: &random) == 0 {
                    let place = Int.random(in: 0..<frame.count, using: &random)
                    frame[place] = UInt8.random(in: 0...255, using: &random)
                }
                peer.feed(frame)
                try act(on: peer.session, &random)
            }
            #expect(peer.session.activeStreams <= 128, "seed \(seed)")
            #expect((peer.session.failure == nil) || peer.session.isFinished, "seed \(seed)")
        }
    }

    @Test("frames come to the same end however they are cut", arguments: [HTTP2Session.Role.server, .client])
    func cuts(role: HTTP2Session.Role) throws {
        try rounds(400) { seed in
            var random = SeededRandom(seed: seed)
            var bytes: [UInt8] = []
            for _ in 0..<12 {
                var frame = try #require(Self.corpus.randomElement(using: &random))
                if Int.random(in: 0..<4, using: &random) == 0 {
                    // Low numbers have places of their own in the memory of closed streams.
                    let places = frame.indices.filter { !(5...7).contains($0) }
                    let place = try #require(places.randomElement(using: &random))
                    frame[place] = UInt8.random(in: 0...255, using: &random)
                }
                bytes += frame
            }
            let found = FrameWatchTests.scan([bytes], ofClient: role == .server)
            let pieces = Chunking.chunks(of: bytes, upTo: 20, using: &random)
            #expect(FrameWatchTests.scan(pieces, ofClient: role == .server) == found, "seed \(seed)")

            let ends = try [4096, Int.random(in: 1...32, using: &random)].map { chunk in
                let peer = HandMadePeer(role, chunk: chunk)
                peer.open()
                if role == .client { _ = try peer.session.request(.post(), endsStream: false) }
                peer.collect()
                peer.feed(bytes)
                return peer
            }
            // Behind GOAWAY the library reads on to the end of a piece.
            guard !ends[0].hasSeenGoAway else { return }
            #expect(ends[0].goAway == ends[1].goAway, "seed \(seed)")
            // What waits to be sent when a connection fails is dropped.
            guard ends[0].goAway == nil else { return }
            #expect(ends[0].resets == ends[1].resets, "seed \(seed)")
        }
    }

    /// Uses a verb on any stream, also where it makes no sense.
    private func act(on session: HTTP2Session, _ random: inout SeededRandom) throws {
        let stream = HTTP2StreamID(rawValue: Int32.random(in: 0...4, using: &random) * 2 + 1)
        switch Int.random(in: 0..<7, using: &random) {
        case 0: _ = try? session.respond(.status(200), on: stream, endsStream: .random(using: &random))
        case 1: session.send("answer", on: stream)
        case 2: try session.finish(stream, trailers: Bool.random(using: &random) ? ["x": "y"] : nil)
        case 3: session.reset(stream, .cancel)
        case 4: _ = session.drain(stream)
        case 5: session.discard(stream)
        default: session.release(10, on: stream)
        }
    }
}

extension HandMadePeer {
    fileprivate var hasSeenGoAway: Bool {
        events.contains { if case .goAway = $0 { true } else { false } }
    }
}

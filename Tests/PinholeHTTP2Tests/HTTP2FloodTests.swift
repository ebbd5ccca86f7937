import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeHTTP2

@Suite("Floods")
struct HTTP2FloodTests {
    private let start = Timestamp(seconds: 1_000_000)

    /// Feeds `bytes` in one moment; nobody takes the output unless `reads`.
    ///
    /// - Returns: The failure.
    private func flood(
        limits: HTTP2Limits = HTTP2Limits(),
        reads: Bool = true,
        _ bytes: [UInt8]
    ) -> HTTP2Failure? {
        let session = HTTP2Session(.server, limits: limits)
        var failure: HTTP2Failure?
        var output = ByteQueue()
        let all = Frame.preface + Frame.settings() + Frame.settingsACK + bytes
        for piece in Chunking.chunks(of: all, size: 1024) {
            var input = ByteQueue(piece)
            session.receive(&input, at: start)
            while let event = session.nextEvent() {
                if case .failed(let why) = event { failure = why }
            }
            guard failure == nil else { break }
            if reads {
                session.write(into: &output, limit: .max)
                output.removeAll()
            }
        }
        #expect(session.activeStreams <= Int(limits.concurrentStreams))
        return failure
    }

    private func many(_ count: Int, _ frame: (UInt32) -> [UInt8]) -> [UInt8] {
        (0..<UInt32(count)).flatMap { frame($0) }
    }

    @Test("streams above the limit are reported, and too many of them are a flood")
    func tooManyStreams() {
        var limits = HTTP2Limits()
        limits.concurrentStreams = 2
        limits.resets = .init(burst: 5, perSecond: 0)
        let peer = HandMadePeer(.server, limits: limits)
        // The client does not know the limit yet.
        peer.feed(Frame.preface + Frame.settings())
        for stream in stride(from: UInt32(1), through: 13, by: 2) {
            peer.feed(Frame.block(stream, HPACK.literals(Frame.request)))
        }
        let declined = peer.events.compactMap { event in
            if case .streamDeclined(let stream) = event { stream.rawValue } else { nil }
        }
        #expect(declined == [5, 7, 9, 11, 13] && peer.isAlive())
        peer.feed(Frame.block(15, HPACK.literals(Frame.request)))
        #expect(peer.goAway == .enhanceYourCalm)
    }

    @Test("streams that are opened and reset (CVE-2023-44487)")
    func rapidReset() {
        let bytes = many(10_000) { Frame.headers(2 * $0 + 1) + Frame.reset(2 * $0 + 1) }
        #expect(flood(bytes)?.code == .enhanceYourCalm)
    }

    @Test("streams that make us reset them (CVE-2025-8671)")
    func madeYouReset() {
        let bytes = many(10_000) { Frame.headers(2 * $0 + 1, ["x": "y"]) }
        #expect(flood(bytes)?.code == .enhanceYourCalm)
        let overflows = many(10_000) {
            Frame.headers(2 * $0 + 1) + Frame.windowUpdate(2 * $0 + 1, 0x7fff_ffff)
        }
        #expect(flood(overflows)?.code == .enhanceYourCalm)
    }

    @Test("some reset streams are tolerated")
    func fewResets() {
        #expect(flood(many(900) { Frame.headers(2 * $0 + 1) + Frame.reset(2 * $0 + 1) }) == nil)
    }

    @Test("CONTINUATION without an end (CVE-2024-27316)")
    func continuations() {
        let bytes =
            Frame.headers(1, flags: 0)
            + many(1000) { _ in
                Frame.continuation(1, HPACK.literal("x", "y"), flags: 0)
            }
        #expect(flood(bytes)?.code == .enhanceYourCalm)
        let empty = Frame.headers(1, flags: 0) + many(1000) { _ in Frame.continuation(1, [], flags: 0) }
        #expect(flood(empty)?.code == .enhanceYourCalm)
        // Of a head that is skipped: its client has reset the stream.
        let skipped =
            Frame.headers(3, flags: Frame.endHeaders) + Frame.reset(3) + Frame.headers(3, flags: 0)
            + many(1000) { _ in Frame.continuation(3, [], flags: 0) }
        #expect(flood(skipped)?.code == .enhanceYourCalm)
    }

    @Test("SETTINGS, PING, PRIORITY, WINDOW_UPDATE and empty DATA")
    func control() {
        let floods = [
            many(2000) { _ in Frame.settings([3: 1]) }, many(2000) { _ in Frame.ping() },
            many(2000) { _ in Frame.any(2, stream: 1, [0, 0, 0, 0, 1]) },
            many(2000) { _ in Frame.priorityUpdate(1, "u=1") },
            many(20_000) { _ in Frame.windowUpdate(0, 1) },
            Frame.headers(1, flags: Frame.endHeaders) + many(2000) { _ in Frame.data(1) },
        ]
        for bytes in floods { #expect(flood(bytes)?.code == .enhanceYourCalm) }
    }

    @Test("frames on streams that are reset, heads that follow them, and empty DATA there")
    func closedStreams() {
        let open = Frame.endHeaders
        let refused = many(10_000) {
            Frame.headers(2 * $0 + 1, flags: open) + Frame.reset(2 * $0 + 1) + Frame.data(2 * $0 + 1, "x")
        }
        let reset = Frame.headers(1, flags: open) + Frame.reset(1)
        let floods = [
            refused, reset + many(2000) { _ in Frame.headers(1, flags: open) },
            reset + many(2000) { _ in Frame.data(1) },
            reset + many(2000) { _ in Frame.priorityUpdate(1, "") },
            // nghttp2 skips frames of this length.
            many(2000) { _ in Frame.priorityUpdate(1, String(repeating: "a", count: 100)) },
        ]
        for bytes in floods { #expect(flood(bytes)?.code == .enhanceYourCalm) }
        // A client may have queued much before it reads RST_STREAM.
        #expect(flood(reset + many(5000) { _ in Frame.data(1, "body") }) == nil)
    }

    @Test("interim responses, of which each request earns some")
    func interims() throws {
        let peer = HandMadePeer(.client)
        peer.open()
        let hint = Frame.headers(1, [":status": "103"], flags: Frame.endHeaders)
        _ = try peer.session.request(.get(), endsStream: true)
        peer.collect()
        peer.feed(many(200) { _ in hint })
        #expect(peer.session.failure == nil)
        peer.feed(many(2000) { _ in hint })
        #expect(peer.session.failure?.code == .enhanceYourCalm)
        #expect(peer.session.failure?.detail.contains("interim") == true)
    }

    @Test("frames of extensions, of which each request earns some")
    func extensionFrames() throws {
        let peer = HandMadePeer(.client)
        peer.open()
        let frame = Frame.alternativeService("h3=\":443\"", of: "https://b.test")
        peer.feed(many(50) { _ in frame })
        #expect(peer.session.failure == nil)
        peer.feed(many(2000) { _ in frame })
        #expect(peer.session.failure?.code == .enhanceYourCalm)
        #expect(peer.session.failure?.detail.contains("extensions") == true)
    }

    @Test("a peer that asks and never reads is held to a bound")
    func neverReads() {
        var limits = HTTP2Limits()
        limits.pings = HTTP2Limits.Allowance(burst: .max / 2, perSecond: 0)
        #expect(
            flood(limits: limits, reads: false, many(100_000) { _ in Frame.ping() })?.code == .enhanceYourCalm
        )
        #expect(flood(limits: limits, reads: true, many(100_000) { _ in Frame.ping() }) == nil)
    }

    @Test("a head beyond the limit resets its stream alone, and nothing of it is kept (CVE-2016-6581)")
    func headerBomb() {
        let peer = HandMadePeer(.server)
        peer.open()
        let entry = HPACK.literal("x", String(repeating: "y", count: 4000), first: 0x40)
        peer.feed(Frame.block(1, HPACK.literals(Frame.request) + entry))
        // Each byte is a field of 4 KiB.
        let bomb = HPACK.literals(Frame.request) + [UInt8](repeating: 0x80 | 62, count: 16_000)
        peer.feed(Frame.block(3, bomb) + Frame.headers(5))
        #expect(peer.resets == [3: .enhanceYourCalm])
        let three = HTTP2StreamID(rawValue: 3)
        let detail = "expected headers of at most 262144 bytes, but more came"
        #expect(peer.events.contains(.reset(three, .enhanceYourCalm, by: .engine, detail: detail)))
        #expect(peer.isAlive())
    }

    @Test(
        "a response whose head is beyond the limit is reset, also where it ends the stream",
        arguments: [4, 5]
    )
    func responseBomb(flags: UInt8) throws {
        let peer = HandMadePeer(.client)
        peer.open()
        let stream = try peer.session.request(.get(), endsStream: true)
        peer.collect()
        let block = HPACK.literals([":status": "200"]) + [UInt8](repeating: 0x90, count: 1001)
        peer.feed(Frame.block(1, block, flags: flags))
        let detail = "expected at most 1000 headers, but more came"
        #expect(peer.events.contains(.reset(stream, .enhanceYourCalm, by: .engine, detail: detail)))
        #expect(peer.events.last == .closed(stream) && peer.isAlive())
    }

    @Test("a head with too many fields resets its stream alone")
    func tooManyFields() {
        let peer = HandMadePeer(.server)
        peer.open()
        peer.feed(Frame.block(1, HPACK.literals(Frame.request) + [UInt8](repeating: 0x90, count: 1001)))
        #expect(peer.resets == [1: .enhanceYourCalm])
        #expect(peer.isAlive())
    }

    @Test("input waits while events do")
    func waitingEvents() {
        var limits = HTTP2Limits()
        limits.waitingEventBytes = 10_000
        let session = HTTP2Session(.server, limits: limits)
        var input = ByteQueue(Frame.preface + Frame.settings() + Frame.settingsACK)
        for number in 0..<100 {
            let id = UInt32(2 * number + 1)
            input.append(Frame.headers(id, flags: Frame.endHeaders))
            input.append(Frame.any(0, stream: id, [UInt8](repeating: 0, count: 1000)))
        }
        session.receive(&input, at: start)
        #expect(!input.isEmpty)
        var requests = 0
        while true {
            while let event = session.nextEvent() { if case .request = event { requests += 1 } }
            guard !input.isEmpty else { break }
            session.receive(&input, at: start)
        }
        #expect(requests == 100)
    }

    @Test("after a failure nothing is taken or made any more")
    func afterFailure() throws {
        let session = HTTP2Session(.server)
        var input = ByteQueue(Frame.preface + Frame.settings() + Frame.headers(1) + Frame.data(0, "x"))
        session.receive(&input, at: start)
        var output = ByteQueue()
        session.write(into: &output, limit: .max)
        output.removeAll()
        input.append(Frame.headers(3))
        session.receive(&input, at: start)
        #expect(input.isEmpty)
        #expect(session.failure == HTTP2Failure(.peer, .protocolError, "DATA: stream_id == 0"))
        #expect(try !session.respond(.status(200), on: HTTP2StreamID(rawValue: 1), endsStream: true))
        session.write(into: &output, limit: .max)
        #expect(output.isEmpty && session.isFinished && !session.hasOutput)
    }
}

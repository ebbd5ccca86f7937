import PinholeHTTP2
import PinholeModel
import PinholeTestKit
import PinholeWire
import Testing

@testable import PinholeProxy

/// Tunnels in streams of HTTP/2 to the proxy, in memory.
@Suite("Tunnels in streams")
struct StreamTunnelTests {
    private func connect(
        _ harness: ConversationHarness,
        _ authority: String = "www.example.com:443",
        endsStream: Bool = false
    ) throws -> (stream: HTTP2StreamID, lane: Lane) {
        let fields: HeaderFields = [
            ":method": "CONNECT", ":authority": authority, "proxy-authorization": "Basic YTpi",
        ]
        let session = try #require(harness.client.session)
        let stream = try session.request(fields, tag: 0, endsStream: endsStream)
        harness.pump()
        return (stream, Lane(stream))
    }

    private func statuses(_ harness: ConversationHarness) -> [String] {
        harness.client.events.compactMap { event in
            if case .response(_, let fields, _) = event { fields.first(":status") } else { nil }
        }
    }

    /// Sends back what comes, until the client's end, and then ends, too.
    private func echo(_ harness: ConversationHarness, _ lane: Lane, _ waiting: inout ByteQueue) {
        while true {
            let step = harness.stack.read(lane, into: &waiting, limit: 1000)
            if !waiting.isEmpty {
                let isThere = harness.stack.write(lane, from: &waiting)
                #expect(isThere)
            }
            if case .bytes = step { continue }
            if step == .end, waiting.isEmpty { harness.stack.finish(lane) }
            return
        }
    }

    @Test("carries bytes both ways and both ends, at every size of pieces", arguments: [1, 7, 16384])
    func carries(chunk: Int) throws {
        let harness = try ConversationHarness(toProxy: { _ in })
        harness.chunk = chunk
        let (stream, lane) = try connect(harness)
        let opened = try #require(harness.opened.first)
        #expect(opened.lane == lane)
        #expect(opened.head.target == .authority(Authority(host: .name("www.example.com"), port: 443)))
        #expect(opened.head.fields.first("proxy-authorization") == "Basic YTpi")
        #expect(opened.head.fields.count == 1)
        harness.stack.accept(lane)
        let body = (0..<(chunk == 1 ? 3000 : 200_000)).map { UInt8($0 % 251) }
        var queue = ByteQueue(body)
        harness.client.session?.send(body.count, from: &queue, on: stream)
        try harness.client.session?.finish(stream)
        var waiting = ByteQueue()
        for _ in 0..<1000 where !harness.client.events.contains(.ended(stream)) {
            harness.pump()
            echo(harness, lane, &waiting)
        }
        #expect(statuses(harness) == ["200"])
        #expect(harness.client.bodies[stream] == body)
        harness.stack.leave(lane, at: harness.now)
        harness.pump()
        #expect(harness.client.resets.isEmpty)
        #expect(harness.openTunnels == 0)
        let active = harness.stack.client.session?.activeStreams
        #expect(active == 0)
    }

    @Test("an unread tunnel delays no other, and holds one window at most")
    func backPressure() throws {
        let harness = try ConversationHarness(toProxy: { _ in })
        let (slow, slowLane) = try connect(harness)
        let (quick, quickLane) = try connect(harness)
        harness.stack.accept(slowLane)
        harness.stack.accept(quickLane)
        let body = [UInt8](repeating: 1, count: 1 << 20)
        for stream in [slow, quick] {
            var queue = ByteQueue(body)
            harness.client.session?.send(body.count, from: &queue, on: stream)
            try harness.client.session?.finish(stream)
        }
        var waiting = ByteQueue()
        for _ in 0..<5000 where !harness.client.events.contains(.ended(quick)) {
            harness.pump()
            echo(harness, quickLane, &waiting)
        }
        #expect(harness.client.bodies[quick] == body)
        let held = harness.stack.client.session?.pendingInput(slow) ?? .max
        #expect(held <= Int(HTTP2Limits().initialWindow))
    }

    @Test("takes no more for a client that does not read than a queue has room for")
    func slowClient() throws {
        let harness = try ConversationHarness(toProxy: { _ in })
        harness.client.releases = false
        let (_, lane) = try connect(harness)
        harness.stack.accept(lane)
        var sent = 0
        for _ in 0..<100 {
            var piece = ByteQueue([UInt8](repeating: 2, count: 100_000))
            let isThere = harness.stack.write(lane, from: &piece)
            #expect(isThere)
            sent += 100_000 - piece.count
            harness.pump()
        }
        #expect(sent < 2_000_000)
    }

    @Test("answers with a page where there is no tunnel")
    func refuses() throws {
        let harness = try ConversationHarness(toProxy: { _ in })
        let (stream, lane) = try connect(harness)
        let page = ErrorPage(status: 502, title: "No", detail: "no", remedy: "")
        harness.stack.refuse(lane, page.answer(accept: nil))
        harness.stack.leave(lane, at: harness.now)
        harness.pump()
        #expect(statuses(harness) == ["502"])
        #expect(
            harness.client.bodies[stream].map { String(decoding: $0, as: UTF8.self) }?.contains("no") == true
        )
        #expect(harness.client.resets.isEmpty)
    }

    @Test("says CONNECT_ERROR where a tunnel breaks, and REFUSED_STREAM where there are too many")
    func breaks() throws {
        let harness = try ConversationHarness(toProxy: { _ in })
        let (_, lane) = try connect(harness)
        harness.stack.accept(lane)
        harness.stack.leave(lane, at: harness.now)
        harness.pump()
        let (refused, other) = try connect(harness)
        let connect = try #require(harness.opened.last?.head)
        harness.stack.decline(other, connect, at: harness.now)
        harness.pump()
        #expect(harness.client.resets == [.connectError])
        #expect(harness.client.events.contains(.refused(refused)))
        #expect(harness.openTunnels == 0)
    }

    @Test("records declined streams, and closes the connection of a client that keeps opening them")
    func declines() throws {
        let harness = try ConversationHarness(toProxy: { _ in })
        var asked = 0
        while harness.client.session?.failure == nil, asked < 5000 {
            guard (try? connect(harness)) != nil, let opened = harness.opened.last else { break }
            harness.stack.decline(opened.lane, opened.head, at: harness.now)
            harness.pump()
            asked += 1
            if harness.client.events.contains(where: { if case .goAway = $0 { true } else { false } }) {
                break
            }
        }
        // As many as streams that may be reset, and the time that it took made some more.
        #expect(1000..<2000 ~= asked, "\(asked)")
        let flows = harness.records.compactMap { if case .flow(let flow) = $0 { flow } else { nil } }
        let declined = flows.filter { $0.authority == "www.example.com:443" }
        #expect(declined.count == asked && Set(declined.map(\.id)).count == asked)
        let first = try #require(declined.first)
        #expect(first.closed != nil && first.outcome?.kind == .refused && first.inbound?.stream == 1)
        #expect(first.outcome?.detail.contains("limits.tunnels, 10000") == true)
    }

    @Test(
        "tells a cancelled stream from a broken one",
        arguments: [
            (HTTP2ErrorCode.cancel, ConversationStack.StreamRead.cancelled), (.noError, .cancelled),
            (.internalError, .broken), (.connectError, .broken),
        ]
    )
    func clientResets(code: HTTP2ErrorCode, expected: ConversationStack.StreamRead) throws {
        let harness = try ConversationHarness(toProxy: { _ in })
        let (stream, lane) = try connect(harness)
        harness.client.session?.reset(stream, code)
        harness.pump()
        #expect(harness.stirred == [lane])
        var inbox = ByteQueue()
        let step = harness.stack.read(lane, into: &inbox, limit: 100)
        #expect(step == expected)
        var outbox = ByteQueue([1])
        let isThere = harness.stack.write(lane, from: &outbox)
        #expect(!isThere)
    }

    @Test("reports to tunnels that the connection has closed")
    func connectionEnds() throws {
        for isOrderly in [true, false] {
            let harness = try ConversationHarness(toProxy: { _ in })
            let (_, lane) = try connect(harness)
            harness.stack.clientEnded(isOrderly ? .orderly : .reset("broken"), at: harness.now)
            harness.pump()
            #expect(harness.stirred == [lane])
            let hasEnded = harness.stack.hasEnded(lane)
            #expect(hasEnded == isOrderly)
            // What the client sent before is to arrive.
            var inbox = ByteQueue()
            let step = harness.stack.read(lane, into: &inbox, limit: 100)
            #expect(step == (isOrderly ? .end : .broken))
            let isClosed = harness.stack.isClosed
            #expect(isClosed)
        }
    }

    @Test("a CONNECT without authority is reset, and others go on", arguments: ["", "no port", "a:b:c"])
    func malformed(authority: String) throws {
        let harness = try ConversationHarness(toProxy: { _ in })
        let (_, lane) = try connect(harness)
        harness.stack.accept(lane)
        _ = try connect(harness, authority)
        #expect(harness.opened.count == 1)
        #expect(harness.client.resets == [.protocolError])
        var outbox = ByteQueue([1])
        let isThere = harness.stack.write(lane, from: &outbox)
        #expect(isThere)
    }

    @Test("a CONNECT that ends at once is a tunnel whose client sends nothing")
    func endsAtOnce() throws {
        let harness = try ConversationHarness(toProxy: { _ in })
        let (_, lane) = try connect(harness, endsStream: true)
        var inbox = ByteQueue()
        let step = harness.stack.read(lane, into: &inbox, limit: 100)
        #expect(step == .end)
    }
}

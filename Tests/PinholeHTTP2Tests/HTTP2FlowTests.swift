import PinholeModel
import Testing

@testable import PinholeHTTP2

@Suite("Flow control of HTTP/2")
struct HTTP2FlowTests {
    private func queue(_ count: Int) -> ByteQueue { ByteQueue([UInt8](repeating: 0x61, count: count)) }

    /// A pair whose client has asked on as many streams, which the server answers with bodies of `count` bytes.
    private func pair(streams: Int, _ count: Int) throws -> (HTTP2Pair, [HTTP2StreamID]) {
        let pair = HTTP2Pair(chunk: 1 << 20)
        let ids = try (0..<streams).map { _ in try pair.client.request(.get(), endsStream: true) }
        pair.settle()
        for id in ids {
            try pair.server.respond(.status(200), on: id, endsStream: false)
            var body = queue(count)
            pair.server.send(count, from: &body, on: id)
            try pair.server.finish(id)
        }
        return (pair, ids)
    }

    @Test("an unread stream stops at its window, and the others go on")
    func slowStream() throws {
        let (pair, ids) = try pair(streams: 100, 1 << 20)
        pair.settle()
        let window = Int(pair.client.limits.initialWindow)
        #expect(ids.allSatisfy { pair.client.pendingInput($0) == window })
        // All but the last one are stuck for ever.
        let last = try #require(ids.last)
        var total = 0
        while true {
            let count = pair.client.drain(last).count
            guard count > 0 else { break }
            total += count
            pair.settle()
        }
        #expect(total == 1 << 20)
        #expect(ids.dropLast().allSatisfy { pair.client.pendingInput($0) == window })
    }

    @Test("the window of a stream whose reader keeps up grows to the limit, and no further")
    func growth() throws {
        let (pair, ids) = try pair(streams: 1, 64 << 20)
        let stream = try #require(ids.first)
        var most = 0
        var total = 0
        while total < 64 << 20 {
            pair.settle()
            pair.now = pair.now + .milliseconds(20)
            let count = pair.client.drain(stream).count
            try #require(count > 0)
            most = max(most, count)
            total += count
        }
        // The half of a window that was given back first may be filled while the rest comes.
        let limit = Int(pair.client.limits.largestWindow)
        #expect(most > limit / 2 && most <= limit)
    }

    @Test("the window of a stream that passes slowly stays")
    func noGrowth() throws {
        let (pair, ids) = try pair(streams: 1, 4 << 20)
        let stream = try #require(ids.first)
        for _ in 0..<20 {
            pair.settle()
            pair.now = pair.now + .seconds(1)
            #expect(pair.client.drain(stream).count <= Int(pair.client.limits.initialWindow))
        }
    }

    @Test("windows grow no further than the connection's limit")
    func growthIsShared() throws {
        let (pair, ids) = try pair(streams: 100, 16 << 20)
        for _ in 0..<40 {
            pair.settle()
            for id in ids { _ = pair.client.drain(id) }
        }
        pair.settle()
        let waiting = ids.map { pair.client.pendingInput($0) }.reduce(0, +)
        #expect(waiting > 100 * Int(pair.client.limits.initialWindow))
        #expect(waiting <= pair.client.limits.connectionWaiting)
    }

    @Test("credit of the connection is held back where too much waits, and comes back")
    func withheld() throws {
        var limits = HTTP2Limits()
        limits.connectionWaiting = 100_000
        limits.connectionWindow = 65_535
        let pair = HTTP2Pair(chunk: 1 << 20, client: limits)
        let ids = try (0..<4).map { _ in try pair.client.request(.get(), endsStream: true) }
        pair.settle()
        for id in ids {
            try pair.server.respond(.status(200), on: id, endsStream: false)
            var body = queue(100_000)
            pair.server.send(100_000, from: &body, on: id)
            try pair.server.finish(id)
        }
        var total = 0
        for _ in 0..<100 {
            pair.settle()
            let waiting = ids.map { pair.client.pendingInput($0) }.reduce(0, +)
            #expect(waiting <= 100_000 + 65_535)
            for id in ids { total += pair.client.drain(id).count }
        }
        #expect(total == 400_000)
        pair.settle()
        #expect(pair.client.activeStreams == 0)
    }

    @Test("a writer is told when its queue has drained")
    func drained() throws {
        let pair = HTTP2Pair(chunk: 1 << 20)
        let stream = try pair.client.request(.post(), endsStream: false)
        var body = queue(1 << 20)
        pair.client.send(body.count, from: &body, on: stream)
        #expect(body.isEmpty && pair.client.pendingOutput(stream) == 1 << 20)
        var events = pair.settle().client
        for _ in 0..<100 where !events.contains(.drained(stream)) {
            #expect(pair.client.pendingOutput(stream) > pair.client.limits.outboundLowWater)
            _ = pair.server.drain(stream)
            events = pair.settle().client
        }
        #expect(events.contains(.drained(stream)))
        #expect(pair.client.pendingOutput(stream) <= pair.client.limits.outboundLowWater)
    }

    @Test("output stops at the limit that the caller names")
    func outputLimit() throws {
        let (pair, _) = try pair(streams: 4, 100_000)
        var output = ByteQueue()
        pair.server.write(into: &output, limit: 50_000)
        #expect(output.count >= 50_000 && output.count < 50_000 + 16_384 + 9)
        #expect(pair.server.hasOutput)
        let before = output.count
        pair.server.write(into: &output, limit: 50_000)
        #expect(output.count == before)
    }

    @Test("received bytes of a closed stream can be read, and then the stream is removed")
    func closedWithInput() throws {
        let (pair, ids) = try pair(streams: 1, 1000)
        let stream = try #require(ids.first)
        let events = pair.settle().client
        #expect(!events.contains(.closed(stream)))
        #expect(pair.client.activeStreams == 1)
        var taken = ByteQueue()
        #expect(pair.client.take(upTo: 600, from: stream, into: &taken) == 600)
        #expect(pair.client.nextEvent() == nil)
        #expect(pair.client.take(upTo: 400, from: stream, into: &taken) == 400)
        #expect(pair.client.nextEvent() == .closed(stream))
        #expect(pair.client.activeStreams == 0 && pair.client.tag(of: stream) == nil)
        #expect(pair.client.take(from: stream, into: &taken) == 0 && taken.count == 1000)
    }

    @Test("bytes of streams that were reset count no more")
    func resetGivesCreditBack() throws {
        for _ in 0..<3 {
            let (pair, ids) = try pair(streams: 100, 1 << 20)
            pair.settle()
            for id in ids { pair.client.reset(id, .cancel) }
            pair.settle()
            #expect(pair.client.activeStreams == 0 && pair.server.activeStreams == 0)
            #expect(pair.client.channel.pointee.unreleased == 0)
            #expect(pair.client.channel.pointee.growth == 0)
        }
    }
}

import PinholeModel
import Testing

@testable import PinholeHTTP2

@Suite("Messages of HTTP/2 that break off")
struct HTTP2BreakTests {
    private func reset(_ stream: HTTP2StreamID, _ code: HTTP2ErrorCode) -> HTTP2Event {
        .reset(stream, code, by: .peer, detail: "the peer reset the stream")
    }

    @Test(
        "a response that breaks off comes as far as it goes, then the reset",
        arguments: [0, 1, 4, 100_000]
    )
    func response(count: Int) throws {
        let pair = HTTP2Pair()
        let stream = try pair.client.request(.get(), endsStream: true)
        pair.settle()
        try pair.server.inform(.status(103), on: stream)
        try pair.server.respond(.status(200), on: stream, endsStream: false)
        var body = ByteQueue([UInt8](repeating: 0x61, count: count))
        pair.server.send(count, from: &body, on: stream)
        pair.server.breakOff(stream, .internalError)
        var (came, length, head) = ([HTTP2Event](), 0, false)
        for _ in 0..<100 where !came.contains(.closed(stream)) {
            let events = pair.settle()
            came += events.client
            for event in events.client {
                if case .data(_, let count) = event { length += count }
                if case .response = event { head = true }
            }
            _ = pair.client.drain(stream)
        }
        #expect(head && length == count)
        #expect(came.suffix(2) == [reset(stream, .internalError), .closed(stream)])
        #expect(pair.client.activeStreams == 0 && pair.server.activeStreams == 0)
    }

    @Test("sent bytes do not delay the reset")
    func sentBefore() throws {
        let pair = HTTP2Pair()
        let stream = try pair.client.request(.post(), endsStream: false)
        pair.settle()
        try pair.server.respond(.status(200), on: stream, endsStream: false)
        pair.server.send("some", on: stream)
        pair.settle()
        pair.server.breakOff(stream, .cancel)
        let came = pair.settle()
        #expect(came.client == [reset(stream, .cancel)])
        #expect(came.server == [.closed(stream)])
        // Who reads slowly gets all of it before the stream is forgotten.
        #expect(pair.client.drain(stream) == Array("some".utf8))
        #expect(pair.settle().client == [.closed(stream)])
        #expect(pair.client.activeStreams == 0)
    }

    @Test("a client that has no window gets the head and the reset")
    func noWindow() throws {
        var limits = HTTP2Limits()
        limits.initialWindow = 0
        let pair = HTTP2Pair(client: limits)
        let stream = try pair.client.request(.get(), endsStream: true)
        pair.settle()
        try pair.server.respond(.status(200), on: stream, endsStream: false)
        pair.server.breakOff(stream, .internalError)
        let came = pair.settle().client
        #expect(came.first == .response(stream, .status(200), endsStream: false))
        #expect(came.contains(reset(stream, .internalError)))
    }

    @Test(
        "a request that breaks off goes as far as the server's window lets it",
        arguments: [10, 65535, 1 << 20]
    )
    func request(count: Int) throws {
        var limits = HTTP2Limits()
        limits.initialWindow = 65_535
        let pair = HTTP2Pair(server: limits)
        pair.settle()
        let stream = try pair.client.request(.post(), endsStream: false)
        pair.settle()
        var body = ByteQueue([UInt8](repeating: 0x61, count: count))
        pair.client.send(count, from: &body, on: stream)
        pair.client.breakOff(stream, .cancel)
        let came = pair.settle()
        #expect(came.server.dropLast(2) == [.data(stream, min(count, 65_535))])
        #expect(came.server.suffix(2) == [reset(stream, .cancel), .closed(stream)])
        #expect(came.client == [.closed(stream)])
        #expect(pair.client.activeStreams == 0 && pair.server.activeStreams == 0)
    }

    @Test("a stream without a head is reset at once, and a stream that waits for its window is never sent")
    func nothingSent() throws {
        var limits = HTTP2Limits()
        limits.concurrentStreams = 1
        let pair = HTTP2Pair(server: limits)
        pair.settle()
        let first = try pair.client.request(.post(), endsStream: false)
        let second = try pair.client.request(.post(), endsStream: false)
        pair.settle()
        pair.client.breakOff(second, .cancel)
        pair.server.breakOff(first, .refusedStream)
        let came = pair.settle()
        #expect(came.client == [.refused(first), .closed(first), .closed(second)])
        #expect(came.server == [.closed(first)])
    }

    @Test("data on a stream that is breaking off are dropped, and their credit is given back")
    func received() throws {
        let pair = HTTP2Pair()
        let stream = try pair.client.request(.post(), endsStream: false)
        pair.settle()
        try pair.server.respond(.status(200), on: stream, endsStream: false)
        var body = ByteQueue([UInt8](repeating: 0x61, count: 1 << 20))
        pair.server.send(1 << 20, from: &body, on: stream)
        pair.server.breakOff(stream, .internalError)
        pair.settle()
        var sent = ByteQueue([UInt8](repeating: 0x61, count: 1 << 20))
        pair.client.send(1 << 20, from: &sent, on: stream)
        #expect(pair.settle().server.isEmpty)
        #expect(pair.server.pendingInput(stream) == 0)
        pair.client.reset(stream, .cancel)
        #expect(pair.settle().server == [.closed(stream)])
        #expect(pair.server.activeStreams == 0)
    }
}

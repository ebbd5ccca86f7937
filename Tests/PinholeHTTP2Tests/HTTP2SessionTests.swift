import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeHTTP2

@Suite("HTTP2Session")
struct HTTP2SessionTests {
    private let one = HTTP2StreamID(rawValue: 1)

    @Test("says that it has output, and is not finished, before anything was said")
    func fresh() {
        let session = HTTP2Session(.client)
        #expect(session.hasOutput && !session.isFinished && session.failure == nil)
        #expect(session.nextEvent() == nil && session.streams.isEmpty)
        var assumed = HTTP2Settings()
        assumed.maxConcurrentStreams = 100
        #expect(session.remoteSettings == assumed)
    }

    @Test("carries a request and its response, bodies and trailers included", arguments: Chunking.sizes)
    func exchange(chunk: Int) throws {
        let pair = HTTP2Pair(chunk: chunk)
        let head = HeaderFields.post("/a", ["cookie": "a=1", "x-empty": "", "cookie": "b=2"])
        let stream = try pair.client.request(head, tag: 7, endsStream: false)
        pair.client.send("body", on: stream)
        try pair.client.finish(stream, trailers: ["x-sum": "4"])
        #expect(pair.client.tag(of: stream) == 7)

        let came = pair.settle()
        #expect(
            came.server == [
                .settings(pair.server.remoteSettings), .request(one, head, endsStream: false), .data(one, 4),
                .trailers(one, ["x-sum": "4"]), .ended(one),
            ]
        )
        #expect(pair.server.drain(one) == Array("body".utf8))

        try pair.server.inform(.status(103, ["link": "</a>"]), on: one)
        try pair.server.respond(.status(200, ["server": "x"]), on: one, endsStream: false)
        pair.server.send("answer", on: one)
        try pair.server.finish(one, trailers: ["grpc-status": "0"])
        let answer = pair.settle()
        #expect(
            answer.client == [
                .informational(one, .status(103, ["link": "</a>"])),
                .response(one, .status(200, ["server": "x"]), endsStream: false), .data(one, 6),
                .trailers(one, ["grpc-status": "0"]), .ended(one),
            ]
        )
        #expect(answer.server == [.closed(one)])
        #expect(pair.client.activeStreams == 1)
        #expect(pair.client.drain(one) == Array("answer".utf8))
        #expect(pair.settle().client == [.closed(one)])
        #expect(pair.client.activeStreams == 0 && pair.server.activeStreams == 0)
    }
}

import PinholeModel
import PinholeRules
import PinholeWire
import Testing

@testable import PinholeProxy

@Suite("Holding")
struct HoldingTests {
    private func fields(_ lines: (String, String)...) -> HeaderFields {
        var fields = HeaderFields()
        for (name, value) in lines { fields.append(name, value) }
        return fields
    }

    @Test("holds short messages, and messages of unknown length that are no stream")
    func obstacles() {
        var limits = Limits()
        limits.heldBody = 10
        let sse = fields(("Content-Type", "text/event-stream"))
        #expect(Holding.obstacle(HeaderFields(), length: 10, limits) == nil)
        #expect(Holding.obstacle(HeaderFields(), length: 11, limits) == "body over 10 bytes")
        #expect(Holding.obstacle(HeaderFields(), length: nil, limits) == nil)
        #expect(Holding.obstacle(sse, length: nil, limits) == "the body is a stream")
        #expect(Holding.obstacle(sse, length: 5, limits) == nil)
    }

    @Test("frames new content, in chunks where trailers follow it")
    func framing() {
        let before = fields(
            ("A", "b"),
            ("Content-Length", "1"),
            ("Content-Encoding", "gzip"),
            ("Transfer-Encoding", "chunked")
        )
        var plain = before
        #expect(plain.frame(3, hasTrailers: false, isLowercased: false) == .length(3))
        #expect(plain == fields(("A", "b"), ("Content-Length", "3")))
        var trailing = before
        #expect(trailing.frame(3, hasTrailers: true, isLowercased: false) == .chunked)
        #expect(trailing == fields(("A", "b"), ("Transfer-Encoding", "chunked")))
        var stream = before
        _ = stream.frame(3, hasTrailers: true, isLowercased: true)
        #expect(stream == fields(("A", "b")))
    }
}

import PinholeModel
import Testing

@testable import PinholeHTTP2

@Suite("Streams and connections of HTTP/2")
struct HTTP2LifeTests {
    @Test("20,000 streams leave nothing behind")
    func manyStreams() throws {
        let pair = HTTP2Pair(chunk: 1 << 20)
        let (request, response) = (HeaderFields.get(), HeaderFields.status(204))
        for round in 0..<200 {
            let ids = try (0..<100).map { try pair.client.request(request, tag: $0, endsStream: true) }
            pair.settle()
            for (number, id) in ids.enumerated() {
                // Some end well, some are reset by either side.
                switch (number, round % 10) {
                case (0, 0): pair.server.reset(id, .internalError)
                case (1, 0): pair.client.reset(id, .cancel)
                default: try pair.server.respond(response, on: id, endsStream: true)
                }
            }
            pair.settle()
            try #require(pair.client.activeStreams == 0 && pair.server.activeStreams == 0)
        }
        #expect(pair.client.failure == nil && pair.server.failure == nil)
        #expect(pair.server.channel.pointee.complaints.isEmpty)
    }

    @Test("a reset crosses with its code, and both sides forget the stream")
    func reset() throws {
        let pair = HTTP2Pair()
        let stream = try pair.client.request(.post(), endsStream: false)
        pair.client.send("body", on: stream)
        pair.settle()
        pair.server.reset(stream, .http11Required)
        let came = pair.settle()
        let reset = HTTP2Event.reset(stream, .http11Required, by: .peer, detail: "the peer reset the stream")
        #expect(came.client == [reset, .closed(stream)])
        #expect(came.server == [.closed(stream)])
        #expect(!pair.client.sendsOn(stream))
    }

    @Test("a request that is reset before it was sent never leaves")
    func resetUnsent() throws {
        let pair = HTTP2Pair()
        let stream = try pair.client.request(.get(), endsStream: true)
        pair.client.reset(stream, .cancel)
        let came = pair.settle()
        #expect(came.client.contains(.closed(stream)))
        #expect(!came.server.contains { if case .request = $0 { true } else { false } })
        #expect(pair.client.activeStreams == 0)
    }

    @Test("requests wait while the server has as many streams as it takes")
    func concurrency() throws {
        var limits = HTTP2Limits()
        limits.concurrentStreams = 2
        let pair = HTTP2Pair(server: limits)
        pair.settle()
        let ids = try (0..<5).map { _ in try pair.client.request(.get(), endsStream: true) }
        #expect(pair.client.remoteSettings.maxConcurrentStreams == 2)
        var answered = 0
        for _ in 0..<5 {
            for case .request(let id, _, _) in pair.settle().server {
                try pair.server.respond(.status(200), on: id, endsStream: true)
                answered += 1
            }
        }
        #expect(answered == ids.count)
        #expect(pair.client.activeStreams == 0)
    }

    @Test("a graceful end lets open streams finish, and refuses new ones")
    func goAway() throws {
        let pair = HTTP2Pair()
        let first = try pair.client.request(.get(), endsStream: true)
        pair.settle()
        pair.server.announceShutdown()
        let last = HTTP2StreamID(rawValue: .max)
        #expect(pair.settle().client.contains(.goAway(last: last, .noError, debugData: [])))
        pair.server.goAway(debugData: Array("bye".utf8))
        let came = pair.settle().client
        #expect(came.contains(.goAway(last: first, .noError, debugData: Array("bye".utf8))))
        #expect(throws: HTTP2Failure.self) { try pair.client.request(.get(), endsStream: true) }
        try pair.server.respond(.status(200), on: first, endsStream: true)
        pair.settle()
        #expect(pair.server.isFinished && pair.client.isFinished)
    }

    @Test(
        "the body of a response waits for the end of its unread request, or for GOAWAY",
        arguments: [true, false]
    )
    func bodyWaits(goesAway: Bool) throws {
        let pair = HTTP2Pair()
        let stream = try pair.client.request(.post(), endsStream: false)
        pair.settle()
        try pair.server.respond(.status(200), on: stream, endsStream: false)
        pair.server.send("tea", on: stream)
        try pair.server.finish(stream)
        pair.server.declineRest(of: stream, tolerance: nil)
        let count = 3 << 20
        var body = ByteQueue([UInt8](repeating: 0x61, count: count))
        pair.client.send(count, from: &body, on: stream)
        let before = pair.settle()
        #expect(before.client.contains(.response(stream, .status(200), endsStream: false)))
        // All of it is taken, and none is told of.
        #expect(pair.client.pendingOutput(stream) == 0 && before.server.isEmpty)
        #expect(pair.client.pendingInput(stream) == 0)
        if goesAway { pair.server.goAway() } else { try pair.client.finish(stream) }
        let after = pair.settle()
        #expect(pair.client.drain(stream) == Array("tea".utf8) && after.client.contains(.ended(stream)))
        #expect(after.server.contains(.ended(stream)) == !goesAway)
        #expect(pair.settle().client.contains(.closed(stream)) == !goesAway)
    }

    @Test("a request that crossed a GOAWAY may be sent again")
    func refusedByGoAway() throws {
        let pair = HTTP2Pair()
        pair.settle()
        pair.server.goAway()
        let stream = try pair.client.request(.get(), endsStream: true)
        let came = pair.settle()
        #expect(came.client.contains(.refused(stream)) && came.client.contains(.closed(stream)))
    }

    @Test("settings may change later")
    func announce() throws {
        let pair = HTTP2Pair()
        pair.settle()
        #expect(!pair.client.remoteSettings.enableConnectProtocol)
        var settings = pair.server.localSettings
        settings.enableConnectProtocol = true
        pair.server.announce(settings)
        #expect(pair.settle().client == [.settings(settings)])
    }

    @Test("a tunnel carries bytes both ways until both sides end it")
    func connect() throws {
        let pair = HTTP2Pair()
        let stream = try pair.client.request(
            [":method": "CONNECT", ":authority": "a:443"],
            endsStream: false
        )
        pair.settle()
        try pair.server.respond(.status(200), on: stream, endsStream: false)
        pair.settle()
        for text in ["one", "two"] {
            pair.client.send(text, on: stream)
            pair.server.send(text, on: stream)
            pair.settle()
            #expect(pair.server.drain(stream) == Array(text.utf8))
            #expect(pair.client.drain(stream) == Array(text.utf8))
        }
        try pair.client.finish(stream)
        try pair.server.finish(stream)
        pair.settle()
        #expect(pair.client.activeStreams == 0 && pair.server.activeStreams == 0)
    }

    @Test(
        "fields that must not be sent are refused with a reason",
        arguments: [
            ["x": "y"], [":method": "GET", "connection": "close"], [":method": "GET", "x": "a\r\nb"],
            [":method": "GET", "x y": "z"], ["x": "y", ":method": "GET"], [":method": "GET", "te": "gzip"],
            [":method": "GET", "": "y"], [":method": "GET", "x": "\0"],
        ] as [HeaderFields]
    )
    func misuse(fields: HeaderFields) throws {
        let session = HTTP2Session(.client)
        let failure = #expect(throws: HTTP2Failure.self) {
            try session.request(fields, endsStream: true)
        }
        #expect(failure?.fault == .misuse)
        #expect(session.activeStreams == 0)
    }

    private func isSendable(_ fields: HeaderFields) -> Bool {
        (try? fields.checkSendable(as: .trailers)) != nil
    }

    @Test("names are tokens, values plain, byte by byte")
    func characters() {
        let tokens = Set("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
        for byte in UInt8.min...UInt8.max {
            var named = HeaderFields(sharing: [0x61, byte, 0x3a, 0x20, 0x0d, 0x0a], lineCapacity: 1)
            named.addLine(0..<6, nameEnd: 2, value: 4..<4)
            #expect(isSendable(named) == tokens.contains(byte), "\(byte)")
            var valued = HeaderFields()
            valued.append("a", [0x61, byte, 0x61])
            let isPlain = byte == 0x09 || byte >= 0x20 && byte != 0x7f
            #expect(isSendable(valued) == isPlain, "\(byte)")
        }
    }

    @Test("the rules hold at every place of a field, whatever stands behind it", arguments: 0..<20)
    func places(place: Int) {
        for byte in [0x00, 0x09, 0x1f, 0x20, 0x2d, 0x3a, 0x41, 0x60, 0x7b, 0x7f, 0x80, 0xff] as [UInt8] {
            for length in place + 1...20 {
                var text = [UInt8](repeating: 0x7a, count: length)
                text[place] = byte
                var valued = HeaderFields()
                valued.append("a", text)
                #expect(isSendable(valued) == ([0x00, 0x1f, 0x7f].contains(byte) == false), "\(byte)")
                var named = HeaderFields(sharing: text + [0x3a, 0x0d, 0x0a], lineCapacity: 1)
                named.addLine(0..<length + 3, nameEnd: length, value: length + 1..<length + 1)
                #expect(isSendable(named) == [0x2d, 0x41, 0x60].contains(byte), "\(byte)")
            }
        }
    }

    @Test("names are sent in lower case")
    func lowerCase() throws {
        let pair = HTTP2Pair()
        let stream = try pair.client.request(.get("/", ["X-Mixed": "Case"]), endsStream: true)
        #expect(
            pair.settle().server.contains(.request(stream, .get("/", ["x-mixed": "Case"]), endsStream: true))
        )
    }

    @Test("a second head is refused, and verbs on a closed stream do nothing")
    func secondHead() throws {
        let pair = HTTP2Pair()
        let stream = try pair.client.request(.get(), endsStream: true)
        pair.settle()
        try pair.server.respond(.status(200), on: stream, endsStream: false)
        #expect(throws: HTTP2Failure.self) {
            try pair.server.respond(.status(200), on: stream, endsStream: true)
        }
        #expect(throws: HTTP2Failure.self) { try pair.server.request(.get(), endsStream: true) }
        let gone = HTTP2StreamID(rawValue: 99)
        #expect(try !pair.server.respond(.status(200), on: gone, endsStream: true))
        #expect(try !pair.server.finish(gone))
        pair.server.reset(gone, .cancel)
        pair.server.release(1, on: gone)
        #expect(pair.server.pendingOutput(gone) == 0 && pair.server.pendingInput(gone) == 0)
    }

    @Test("a request with a malformed head is reported with the fields that were received")
    func refusedHeads() {
        let peer = HandMadePeer(.server)
        peer.open()
        let whole = HPACK.literals(Frame.request)
        let long = HPACK.literal("x-long", String(repeating: "y", count: 9000))
        peer.feed(Frame.block(1, HPACK.literals([":method": "GET", ":scheme": "https"])))
        peer.feed(Frame.block(3, whole + HPACK.literal("x", "a\n") + HPACK.literal("after", "b")))
        peer.feed(Frame.block(5, whole + long + HPACK.literal("Upper", "a")))
        peer.feed(Frame.block(7, whole + [UInt8](repeating: 0x90, count: 1001)))
        // Trailers belong to a request that was told of.
        peer.feed(Frame.block(9, whole, flags: Frame.endHeaders) + Frame.block(9, whole))
        let refused = peer.events.compactMap { event -> (Int32, HeaderFields, String)? in
            if case .requestRefused(let stream, let fields, let detail) = event {
                (stream.rawValue, fields, detail)
            } else {
                nil
            }
        }
        #expect(refused.map(\.0) == [1, 3, 5, 7])
        #expect(refused.map(\.1.count).prefix(3) == [2, 4, 4])
        #expect(refused.last.map { $0.1.count < 1000 && $0.1.first(":path") == "/" } == true)
        #expect(refused.allSatisfy { !$0.2.isEmpty })
        let told = peer.events.compactMap { event -> Int32? in
            if case .reset(let stream, _, by: .engine, _) = event { stream.rawValue } else { nil }
        }
        #expect(told == [1, 3, 5, 7, 9] && peer.isAlive())
    }

    @Test("the reason of a failure keeps field values to itself")
    func secrets() {
        let peer = HandMadePeer(.server)
        peer.open()
        peer.feed(Frame.block(1, HPACK.literals(Frame.request) + HPACK.literal("connection", "s3cret")))
        peer.feed(Frame.block(3, HPACK.literals(Frame.request) + HPACK.literal("x", "s3cret\n")))
        let details = peer.events.compactMap { event in
            if case .reset(_, .protocolError, by: .engine, let detail) = event { detail } else { nil }
        }
        #expect(details.count == 2)
        #expect(details.first?.contains("connection") == true && details.last?.contains("“x”") == true)
        #expect(details.allSatisfy { !$0.contains("s3cret") })
    }
}

extension HTTP2Session {
    /// Whether a byte can be sent on `stream`.
    fileprivate func sendsOn(_ stream: HTTP2StreamID) -> Bool {
        var byte = ByteQueue([0])
        return send(1, from: &byte, on: stream)
    }
}

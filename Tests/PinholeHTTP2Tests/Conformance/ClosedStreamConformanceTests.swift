import Testing

@testable import PinholeHTTP2

/// RFC 9113 §5.1 and RFC 7540 §5.3.1: frames on closed streams, and streams that depend on themselves.
@Suite("Conformance: closed streams")
struct ClosedStreamConformanceTests {
    private static let open: UInt8 = Frame.endHeaders
    private static let one = HTTP2StreamID(rawValue: 1)
    private static let ok = Frame.headers(1, [":status": "200"])
    private static let begins = Frame.headers(1, [":status": "200"], flags: open)
    private static let trailers = Frame.headers(1, ["x": "y"])
    /// A request that the client has reset.
    private static let reset = Frame.headers(1, flags: open) + Frame.reset(1)

    private static let answers = ConformanceCase.Step.engine {
        try $0.respond(.status(204), on: one, endsStream: true)
    }
    private static let resets = ConformanceCase.Step.engine { $0.reset(one, .cancel) }

    /// DATA in 255 bytes of padding.
    private static func paddedData(_ stream: UInt32, flags: UInt8 = 0) -> [UInt8] {
        let payload = [255, 0x61] + [UInt8](repeating: 0, count: 255)
        return Frame.any(0, flags: Frame.padded | flags, stream: stream, payload)
    }

    /// HEADERS with a dependency of the stream on itself, padded or not.
    private static func selfDependent(
        _ fields: KeyValuePairs<String, String>,
        isPadded: Bool = false
    ) -> [UInt8] {
        let flags = Frame.priority | Frame.endHeaders | Frame.endStream | (isPadded ? Frame.padded : 0)
        let payload = (isPadded ? [3] : []) + [0x80, 0, 0, 1, 1] + HPACK.literals(fields)
        return Frame.any(1, flags: flags, stream: 1, payload + (isPadded ? [0, 0, 0] : []))
    }

    private static func priority(_ stream: UInt32, on other: UInt32, exclusive: Bool = false) -> [UInt8] {
        Frame.any(2, stream: stream, Frame.bytes(other | (exclusive ? 1 << 31 : 0)) + [15])
    }

    static let resetByPeer: [ConformanceCase] = [
        .server("5.1", "DATA", [.peer(reset + Frame.data(1, "x"))], .stream(1, .streamClosed)),
        .server("5.1", "padded DATA", [.peer(reset + paddedData(1))], .stream(1, .streamClosed)),
        .server("5.1", "DATA without a byte", [.peer(reset + Frame.data(1))], .stream(1, .streamClosed)),
        .server("5.1", "HEADERS", [.peer(reset + Frame.headers(1))], .stream(1, .streamClosed)),
        .server(
            "5.1",
            "HEADERS in two frames",
            [
                .peer(
                    reset + Frame.headers(1, flags: 0)
                        + Frame.continuation(1, HPACK.literal("a", "b", first: 0x40))
                )
            ],
            .stream(1, .streamClosed)
        ),
        .server(
            "5.1",
            "frames that follow the answer",
            [.peer(reset + Frame.data(1, "x") + Frame.data(1, "y", flags: 1) + Frame.headers(1))],
            .stream(1, .streamClosed)
        ),
        .server("5.1", "WINDOW_UPDATE", [.peer(reset + Frame.windowUpdate(1, 1))], .ignored),
        .server("5.1", "RST_STREAM", [.peer(reset + Frame.reset(1))], .ignored),
        .server("5.1", "PRIORITY", [.peer(reset + priority(1, on: 0))], .ignored),
        .client(
            "5.1",
            "DATA",
            [.peer(begins + Frame.reset(1) + Frame.data(1, "x"))],
            .stream(1, .streamClosed)
        ),
        .client(
            "5.1",
            "padded DATA",
            [.peer(Frame.reset(1) + paddedData(1, flags: 1))],
            .stream(1, .streamClosed)
        ),
        .client(
            "5.1",
            "HEADERS",
            endsStream: false,
            [.peer(Frame.reset(1) + ok)],
            .stream(1, .streamClosed)
        ),
        .client(
            "5.1",
            "trailers in two frames",
            [
                .peer(
                    begins + Frame.reset(1) + Frame.headers(1, ["x": "y"], flags: 1)
                        + Frame.continuation(1, [])
                )
            ],
            .stream(1, .streamClosed)
        ),
    ]

    static let ended: [ConformanceCase] = [
        .server(
            "5.1",
            "DATA",
            [.peer(Frame.headers(1)), answers, .peer(Frame.data(1, "x"))],
            .connection(.streamClosed)
        ),
        .server(
            "5.1",
            "HEADERS",
            [.peer(Frame.headers(1)), answers, .peer(Frame.headers(1))],
            .connection(.streamClosed)
        ),
        .server(
            "5.1",
            "DATA after DATA that ended it",
            [
                .peer(Frame.headers(1, flags: open) + Frame.data(1, "x", flags: 1)), answers,
                .peer(paddedData(1)),
            ],
            .connection(.streamClosed)
        ),
        .server(
            "5.1",
            "trailers after trailers, in two frames",
            [
                .peer(
                    Frame.headers(1, flags: open) + Frame.headers(1, ["x": "y"], flags: 1)
                        + Frame.continuation(1, [])
                ), answers, .peer(trailers),
            ],
            .connection(.streamClosed)
        ),
        .server(
            "5.1",
            "DATA, after RST_STREAM from both sides",
            [.peer(Frame.headers(1)), resets, .peer(Frame.reset(1) + Frame.data(1, "x"))],
            .connection(.streamClosed)
        ),
        .server(
            "5.1",
            "DATA on a stream whose request was malformed",
            [.peer(Frame.headers(1, ["x": "y"]) + Frame.data(1, "x"))],
            .connection(.streamClosed)
        ),
        .server(
            "5.1",
            "RST_STREAM",
            [.peer(Frame.headers(1)), answers, .peer(Frame.reset(1))],
            .ignored
        ),
        .server(
            "5.1",
            "WINDOW_UPDATE",
            [.peer(Frame.headers(1)), answers, .peer(Frame.windowUpdate(1, 1))],
            .ignored
        ),
        .server(
            "5.1",
            "PRIORITY",
            [.peer(Frame.headers(1)), answers, .peer(priority(1, on: 0))],
            .ignored
        ),
        .server(
            "5.1",
            "CONTINUATION",
            [.peer(Frame.headers(1)), answers, .peer(Frame.continuation(1, []))],
            .connection(.protocolError)
        ),
        .client("5.1", "DATA", [.peer(ok), .peer(Frame.data(1, "x"))], .connection(.streamClosed)),
        .client("5.1", "HEADERS", [.peer(ok + ok)], .connection(.streamClosed)),
        .client(
            "5.1",
            "DATA after trailers",
            [.peer(begins + trailers + Frame.data(1))],
            .connection(.streamClosed)
        ),
        .client(
            "5.1",
            "DATA after a response that the client gave up",
            endsStream: false,
            [.peer(ok), resets, .peer(Frame.data(1, "x"))],
            .connection(.streamClosed)
        ),
        .client(
            "8.1",
            "RST_STREAM with NO_ERROR",
            endsStream: false,
            [.peer(ok + Frame.reset(1, 0))],
            .ignored
        ),
    ]

    /// The peer wrote these before it saw our RST_STREAM, or our GOAWAY.
    static let crossing: [ConformanceCase] = [
        .server(
            "5.1",
            "DATA to its end",
            [
                .peer(Frame.headers(1, flags: open)), resets,
                .peer(Frame.data(1, "x") + paddedData(1) + Frame.data(1, flags: 1)),
            ],
            .stream(1, .cancel)
        ),
        .server(
            "5.1",
            "DATA and trailers",
            [.peer(Frame.headers(1, flags: open)), resets, .peer(Frame.data(1, "x") + trailers)],
            .stream(1, .cancel)
        ),
        .server(
            "5.1",
            "DATA of a request that was malformed",
            [.peer(Frame.headers(1, ["x": "y"], flags: open) + Frame.data(1, "x") + trailers)],
            .stream(1, .protocolError)
        ),
        .server(
            "6.8",
            "a request that we did not want to see any more",
            [
                .peer(Frame.headers(1, flags: open)), .engine { $0.goAway() },
                .peer(Frame.headers(3, flags: open) + Frame.data(3, "x", flags: 1)),
            ],
            .ignored
        ),
        .client(
            "5.1",
            "a whole response",
            [resets, .peer(begins + Frame.data(1, "x") + trailers)],
            .stream(1, .cancel)
        ),
        .client(
            "5.1",
            "RST_STREAM",
            [.engine { _ in }, resets, .peer(begins + Frame.reset(1))],
            .stream(1, .cancel)
        ),
    ]

    static let dependencies: [ConformanceCase] = [
        .server("7540 §5.3.1", "PRIORITY, idle", [.peer(priority(1, on: 1))], .connection(.protocolError)),
        .server(
            "7540 §5.3.1",
            "PRIORITY, idle, exclusive",
            [.peer(Frame.headers(1) + priority(3, on: 3, exclusive: true))],
            .connection(.protocolError)
        ),
        .server(
            "7540 §5.3.1",
            "PRIORITY, a number of the server",
            [.peer(priority(2, on: 2))],
            .connection(.protocolError)
        ),
        .server(
            "7540 §5.3.1",
            "PRIORITY, open",
            [.peer(Frame.headers(1, flags: open) + priority(1, on: 1))],
            .stream(1, .protocolError)
        ),
        .server(
            "7540 §5.3.1",
            "PRIORITY, half-closed",
            [.peer(Frame.headers(1) + priority(1, on: 1, exclusive: true))],
            .stream(1, .protocolError)
        ),
        .server(
            "7540 §5.3.1",
            "PRIORITY, closed",
            [.peer(Frame.headers(1)), answers, .peer(priority(1, on: 1) + priority(1, on: 1))],
            .stream(1, .protocolError)
        ),
        .server(
            "7540 §5.3.1",
            "PRIORITY, reset by the server",
            [.peer(Frame.headers(1)), resets, .peer(priority(1, on: 1))],
            .stream(1, .cancel)
        ),
        .server(
            "7540 §5.3.1",
            "PRIORITY, of another stream",
            [.peer(Frame.headers(1, flags: open) + priority(1, on: 3) + priority(3, on: 1))],
            .ignored
        ),
        .server(
            "6.2",
            "PRIORITY inside a head",
            [.peer(Frame.headers(1, flags: 1) + priority(1, on: 1))],
            .connection(.protocolError)
        ),
        .server(
            "7540 §5.3.1",
            "HEADERS, idle",
            [.peer(selfDependent(Frame.request))],
            .connection(.protocolError)
        ),
        .server(
            "7540 §5.3.1",
            "HEADERS, open",
            [.peer(Frame.headers(1, flags: open) + selfDependent(["x": "y"]))],
            .stream(1, .protocolError)
        ),
        .client("7540 §5.3.1", "PRIORITY, idle", [.peer(priority(3, on: 3))], .connection(.protocolError)),
        .client("7540 §5.3.1", "PRIORITY, open", [.peer(priority(1, on: 1))], .stream(1, .protocolError)),
        .client(
            "7540 §5.3.1",
            "PRIORITY, closed",
            [.peer(ok + priority(1, on: 1))],
            .stream(1, .protocolError)
        ),
        .client(
            "7540 §5.3.1",
            "HEADERS, open",
            [.peer(selfDependent([":status": "200"]))],
            .stream(1, .protocolError)
        ),
        .client(
            "7540 §5.3.1",
            "padded HEADERS, open",
            [.peer(selfDependent([":status": "200"], isPadded: true))],
            .stream(1, .protocolError)
        ),
    ]

    @Test("frames on streams that the peer has reset", arguments: resetByPeer, [1, 5, 4096])
    func resetRules(rule: ConformanceCase, chunk: Int) throws { try rule.play(chunk: chunk) }

    @Test("frames on streams that the peer has ended", arguments: ended, [1, 5, 4096])
    func endedRules(rule: ConformanceCase, chunk: Int) throws { try rule.play(chunk: chunk) }

    @Test("frames on streams that Pinhole has reset", arguments: crossing, [1, 5, 4096])
    func crossingRules(rule: ConformanceCase, chunk: Int) throws { try rule.play(chunk: chunk) }

    @Test("streams that depend on themselves", arguments: dependencies, [1, 5, 4096])
    func dependencyRules(rule: ConformanceCase, chunk: Int) throws { try rule.play(chunk: chunk) }

    @Test("wherever the input is cut, a frame on a stream that the peer has reset is refused")
    func cuts() {
        let bytes = Frame.headers(1, flags: Self.open) + Frame.reset(1) + Self.paddedData(1)
        for cut in 0...bytes.count {
            let peer = HandMadePeer(.server)
            peer.open()
            peer.feed(Array(bytes.prefix(cut)))
            peer.feed(Array(bytes.dropFirst(cut)))
            #expect(peer.resets == [1: .streamClosed] && peer.isAlive(), "cut at \(cut)")
        }
    }

    @Test("the field table keeps up with a head that is refused")
    func fieldTable() {
        let peer = HandMadePeer(.server)
        peer.open()
        let entry = HPACK.literal("a", "b", first: 0x40)
        peer.feed(Self.reset + Frame.block(1, entry))
        peer.feed(Frame.block(3, HPACK.literals(Frame.request) + [0x80 | 62]))
        let three = HTTP2StreamID(rawValue: 3)
        #expect(peer.events.contains(.request(three, .get("/", ["a": "b"]), endsStream: true)))
        #expect(peer.resets == [1: .streamClosed])
    }

    @Test("a stream that depends on itself is reset with the reason, and its response is not reported")
    func reason() throws {
        let peer = HandMadePeer(.client)
        peer.open()
        let stream = try peer.session.request(.get(), endsStream: true)
        peer.collect()
        peer.feed(Self.selfDependent([":status": "200"]))
        let detail = "expected a stream that depends on another one, but stream 1 depends on itself"
        #expect(
            peer.events.suffix(2) == [
                .reset(stream, .protocolError, by: .engine, detail: detail), .closed(stream),
            ]
        )
        #expect(!peer.events.contains { if case .response = $0 { true } else { false } })
    }

    @Test("a WINDOW_UPDATE without credit on a stream that was refused is ignored", arguments: [1, 4096])
    func emptyCredit(chunk: Int) {
        let peer = HandMadePeer(.server, chunk: chunk)
        peer.open()
        peer.feed(Frame.headers(1, ["x": "y"]) + Frame.windowUpdate(1, 0) + Frame.headers(3))
        #expect(peer.isAlive() && peer.resets == [1: .protocolError])
        #expect(peer.session.streams == [HTTP2StreamID(rawValue: 3)])
    }

    @Test("DATA that is refused gives its credit of the connection back", arguments: [false, true])
    func credit(isRefused: Bool) {
        var limits = HTTP2Limits()
        limits.connectionWindow = 65_535
        let peer = HandMadePeer(.server, limits: limits)
        peer.open()
        peer.feed(Frame.headers(1, flags: Self.open))
        if isRefused { peer.feed(Frame.reset(1)) } else { peer.session.reset(Self.one, .cancel) }
        let piece = Frame.any(0, flags: Frame.padded, stream: 1, [9] + [UInt8](repeating: 0, count: 9999))
        for _ in 0..<100 { peer.feed(piece) }
        let credit = peer.frames.filter { $0.type == 8 && $0.stream == 0 }.reduce(0) { $0 + $1.number(at: 0) }
        // Less than half of the window may be held back.
        #expect(credit > 1_000_000 - 32_768 && peer.isAlive())
        #expect(peer.resets == [1: isRefused ? .streamClosed : .cancel])
    }

    @Test("nothing behind a frame that ends the connection is taken", arguments: [1, 4096])
    func nothingFollows(chunk: Int) {
        let peer = HandMadePeer(.server, chunk: chunk)
        peer.open()
        peer.feed(Frame.headers(5) + Frame.headers(3) + Frame.headers(7))
        let opened = peer.events.compactMap { event in
            if case .request(let stream, _, endsStream: _) = event { stream.rawValue } else { nil }
        }
        #expect(opened == [5] && peer.goAway == .protocolError)
        let detail = "expected a stream above 5, but HEADERS came on stream 3"
        #expect(peer.session.failure == HTTP2Failure(.peer, .protocolError, detail))
    }

    @Test(
        "GOAWAY, also with an unknown code, ends the connection with its last stream",
        arguments: [1, 4096]
    )
    func goAway(chunk: Int) throws {
        for code: UInt32 in [0, 2, 0xff, 0xdead_beef] {
            let server = HandMadePeer(.server, chunk: chunk)
            server.open()
            server.feed(Frame.headers(1, flags: Self.open) + Frame.goAway(last: 0, code))
            #expect(server.isAlive() && !server.session.isFinished)
            server.feed(Frame.data(1, "x", flags: 1))
            try server.session.respond(.status(200), on: Self.one, endsStream: false)
            server.session.send("tea", on: Self.one)
            server.collect()
            #expect(server.isAlive() && !server.session.isFinished)
            try server.session.finish(Self.one)
            server.collect()
            #expect(server.session.isFinished && server.session.failure == nil)

            let client = HandMadePeer(.client, chunk: chunk)
            client.open()
            let stream = try client.session.request(.get(), endsStream: true)
            client.collect()
            client.feed(Frame.goAway(last: 1, code))
            #expect(client.isAlive() && !client.session.isFinished)
            client.feed(Self.ok)
            #expect(client.events.contains(.response(stream, .status(200), endsStream: true)))
            #expect(client.session.isFinished && client.session.failure == nil)
        }
    }
}

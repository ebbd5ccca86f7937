import Testing

@testable import PinholeHTTP2

/// RFC 9113 §3 to §5: the preface, frames, streams and their states.
@Suite("Conformance: frames and streams")
struct FrameConformanceTests {
    private static let open: UInt8 = Frame.endHeaders
    private static let one = HTTP2StreamID(rawValue: 1)

    static let preface: [ConformanceCase] = [
        .server(
            "3.4",
            "other bytes than the preface",
            opens: false,
            [.peer(Array("GET / HTTP/1.1\r\n\r\n".utf8))],
            .connection(.protocolError)
        ),
        .server("3.4", "half a preface", opens: false, [.peer(Array(Frame.preface.prefix(10)))], .waits),
        .server(
            "3.4",
            "a preface with a wrong end",
            opens: false,
            [.peer(Frame.preface.dropLast() + [0x20])],
            .connection(.protocolError)
        ),
        .server(
            "3.4",
            "a first frame that is no SETTINGS",
            opens: false,
            [.peer(Frame.preface + Frame.ping())],
            .connection(.protocolError)
        ),
        .server(
            "3.4",
            "SETTINGS with ACK as the first frame",
            opens: false,
            [.peer(Frame.preface + Frame.settingsACK)],
            .connection(.protocolError)
        ),
        .server(
            "3.4",
            "the preface and SETTINGS",
            opens: false,
            [.peer(Frame.preface + Frame.settings())],
            .answer(type: 4, flags: 1, stream: 0)
        ),
        .client(
            "3.4",
            "a first frame that is no SETTINGS",
            opens: false,
            [.peer(Frame.ping())],
            .connection(.protocolError)
        ),
        .client(
            "3.4",
            "a server of HTTP/1",
            opens: false,
            [.peer(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8))],
            .connection(.protocolError)
        ),
    ]

    static let format: [ConformanceCase] = [
        .server(
            "4.1",
            "a frame of an unknown type on the connection",
            [.peer(Frame.any(0x42, stream: 0, [1, 2, 3]))],
            .ignored
        ),
        .server(
            "4.1",
            "a frame of an unknown type on an open stream",
            [.peer(Frame.headers(1, flags: open) + Frame.any(0x42, flags: 0xff, stream: 1, [1]))],
            .ignored
        ),
        .server(
            "4.1",
            "flags that are not defined",
            [.peer(Frame.any(6, flags: 0xf6, stream: 0, Array("12345678".utf8)))],
            .answer(type: 6, flags: 1, stream: 0)
        ),
        .server(
            "4.1",
            "the reserved bit before the stream",
            [.peer(Frame.any(6, stream: 0x8000_0000, Array("12345678".utf8)))],
            .answer(type: 6, flags: 1, stream: 0)
        ),
        .server(
            "4.2",
            "DATA beyond the largest frame",
            [
                .peer(
                    Frame.headers(1, flags: open)
                        + Frame.any(0, stream: 1, [UInt8](repeating: 0, count: 16385))
                )
            ],
            .connection(.frameSizeError)
        ),
        .server(
            "4.2",
            "HEADERS beyond the largest frame",
            [.peer(Frame.any(1, flags: open, stream: 1, [UInt8](repeating: 0, count: 16385)))],
            .connection(.frameSizeError)
        ),
        .server(
            "4.2",
            "SETTINGS beyond the largest frame",
            [.peer(Frame.any(4, stream: 0, [UInt8](repeating: 0, count: 16386)))],
            .connection(.frameSizeError)
        ),
        .server(
            "4.2",
            "an unknown frame beyond the largest frame",
            [.peer(Frame.any(0x42, stream: 0, [UInt8](repeating: 0, count: 16385)))],
            .connection(.frameSizeError)
        ),
        .server(
            "4.2",
            "DATA as large as allowed",
            [
                .peer(
                    Frame.headers(1, flags: open)
                        + Frame.any(0, stream: 1, [UInt8](repeating: 0, count: 16384))
                )
            ],
            .event(.data(one, 16384))
        ),
        .server(
            "4.3",
            "a block that ends inside a field",
            [.peer(Frame.block(1, HPACK.literals(Frame.request).dropLast()))],
            .connection(.compressionError)
        ),
        .server(
            "4.3",
            "another frame inside a head",
            [.peer(Frame.headers(1, flags: 0) + Frame.ping())],
            .connection(.protocolError)
        ),
        .server(
            "4.3",
            "another stream's HEADERS inside a head",
            [.peer(Frame.headers(1, flags: 0) + Frame.headers(3))],
            .connection(.protocolError)
        ),
        .server(
            "5.5",
            "an unknown frame inside a head",
            [.peer(Frame.headers(1, flags: 0) + Frame.any(0x42, stream: 1))],
            .connection(.protocolError)
        ),
        .server(
            "4.3",
            "a head in two frames",
            [
                .peer(
                    Frame.block(1, Array(HPACK.literals(Frame.request).prefix(20)), flags: 1)
                        + Frame.continuation(1, Array(HPACK.literals(Frame.request).dropFirst(20)))
                )
            ],
            .event(.request())
        ),
    ]

    static let idle: [ConformanceCase] = [
        .server("5.1", "DATA on an idle stream", [.peer(Frame.data(1, "x"))], .connection(.protocolError)),
        .server("5.1", "RST_STREAM on an idle stream", [.peer(Frame.reset(1))], .connection(.protocolError)),
        .server(
            "5.1",
            "WINDOW_UPDATE on an idle stream",
            [.peer(Frame.windowUpdate(1, 1))],
            .connection(.protocolError)
        ),
        .server(
            "5.1",
            "CONTINUATION on an idle stream",
            [.peer(Frame.continuation(1, []))],
            .connection(.protocolError)
        ),
        .server(
            "5.1",
            "PRIORITY on an idle stream",
            [.peer(Frame.any(2, stream: 1, [0, 0, 0, 0, 1]))],
            .ignored
        ),
        .client("5.1", "DATA on an idle stream", [.peer(Frame.data(3, "x"))], .connection(.protocolError)),
        .client(
            "5.1",
            "HEADERS on an idle stream",
            [.peer(Frame.headers(3, [":status": "200"]))],
            .connection(.protocolError)
        ),
        .client(
            "5.1",
            "HEADERS on a stream of the server's own",
            [.peer(Frame.headers(2, [":status": "200"]))],
            .connection(.protocolError)
        ),
        .client("5.1", "RST_STREAM on an idle stream", [.peer(Frame.reset(3))], .connection(.protocolError)),
        .client(
            "5.1",
            "WINDOW_UPDATE on an idle stream",
            [.peer(Frame.windowUpdate(3, 1))],
            .connection(.protocolError)
        ),
    ]

    static let halfClosed: [ConformanceCase] = [
        .server(
            "5.1",
            "DATA on a half-closed stream",
            [.peer(Frame.headers(1) + Frame.data(1, "x"))],
            .connection(.streamClosed)
        ),
        .server(
            "5.1",
            "HEADERS on a half-closed stream",
            [.peer(Frame.headers(1) + Frame.headers(1))],
            .connection(.streamClosed)
        ),
        .server(
            "5.1",
            "CONTINUATION on a half-closed stream",
            [.peer(Frame.headers(1) + Frame.continuation(1, []))],
            .connection(.protocolError)
        ),
        .server(
            "5.1",
            "WINDOW_UPDATE on a half-closed stream",
            [.peer(Frame.headers(1) + Frame.windowUpdate(1, 1))],
            .ignored
        ),
        .server(
            "5.1",
            "PRIORITY on a half-closed stream",
            [.peer(Frame.headers(1) + Frame.any(2, stream: 1, [0, 0, 0, 0, 1]))],
            .ignored
        ),
        .server(
            "5.1",
            "RST_STREAM on a half-closed stream",
            [.peer(Frame.headers(1) + Frame.reset(1))],
            .event(.reset(one, .cancel, by: .peer, detail: "the peer reset the stream"))
        ),
        .client(
            "5.1",
            "DATA after the end of the response",
            endsStream: false,
            [.peer(Frame.headers(1, [":status": "200"]) + Frame.data(1, "x"))],
            .connection(.streamClosed)
        ),
        .client(
            "5.1",
            "HEADERS after the end of the response",
            endsStream: false,
            [.peer(Frame.headers(1, [":status": "200"]) + Frame.headers(1, [":status": "200"]))],
            .connection(.streamClosed)
        ),
    ]

    static let identifiers: [ConformanceCase] = [
        .server(
            "5.1.1",
            "a client's stream with an even number",
            [.peer(Frame.headers(2))],
            .connection(.protocolError)
        ),
        .server("5.1.1", "HEADERS on stream 0", [.peer(Frame.headers(0))], .connection(.protocolError)),
        .server(
            "5.1.1",
            "a stream below one that was opened",
            [.peer(Frame.headers(5) + Frame.headers(3))],
            .connection(.protocolError)
        ),
        .server(
            "5.1.1",
            "a stream far below one that was opened",
            [.peer(Frame.headers(1) + Frame.headers(0x7fff_ffff) + Frame.headers(99_999))],
            .connection(.protocolError)
        ),
        .server(
            "5.1.1",
            "DATA on a stream that was left out",
            [.peer(Frame.headers(5) + Frame.data(3, "x"))],
            .connection(.protocolError)
        ),
        .server(
            "5.1.1",
            "PRIORITY on a stream that was left out",
            [.peer(Frame.headers(5) + Frame.any(2, stream: 3, [0, 0, 0, 0, 1]))],
            .ignored
        ),
        .client(
            "5.1.1",
            "HEADERS on a stream of the client that it left out",
            [
                .engine { session in
                    let unsent = try session.request(.get(), endsStream: true)
                    session.reset(unsent, .cancel)
                    _ = try session.request(.get(), endsStream: true)
                }, .peer(Frame.headers(3, [":status": "200"])),
            ],
            .ignored
        ),
        .server(
            "5.1.1",
            "a stream that leaves numbers out",
            [.peer(Frame.headers(7))],
            .event(.request(HTTP2StreamID(rawValue: 7), .get(), endsStream: true))
        ),
        .server(
            "5.1.2",
            "more streams than announced",
            settings: .few,
            [.peer(Frame.headers(1) + Frame.headers(3) + Frame.headers(5))],
            .connection(.protocolError)
        ),
        .server(
            "5.1.2",
            "more streams than announced, before the peer can know",
            opens: false,
            settings: .few,
            [
                .peer(
                    Frame.preface + Frame.settings() + Frame.headers(1) + Frame.headers(3) + Frame.headers(5)
                )
            ],
            .stream(5, .refusedStream)
        ),
    ]

    @Test("of the preface", arguments: preface, [1, 4096])
    func prefaceRules(rule: ConformanceCase, chunk: Int) throws { try rule.play(chunk: chunk) }

    @Test("of frames", arguments: format, [1, 4096])
    func formatRules(rule: ConformanceCase, chunk: Int) throws { try rule.play(chunk: chunk) }

    @Test("of idle streams", arguments: idle, [1, 4096])
    func idleRules(rule: ConformanceCase, chunk: Int) throws { try rule.play(chunk: chunk) }

    @Test("of half-closed streams", arguments: halfClosed, [1, 4096])
    func halfClosedRules(rule: ConformanceCase, chunk: Int) throws { try rule.play(chunk: chunk) }

    @Test("of the numbers of streams", arguments: identifiers, [1, 4096])
    func identifiersRules(rule: ConformanceCase, chunk: Int) throws { try rule.play(chunk: chunk) }
}

extension HTTP2Settings {
    /// Two streams at one time.
    fileprivate static var few: HTTP2Settings {
        var settings = HTTP2Settings()
        settings.maxConcurrentStreams = 2
        return settings
    }
}

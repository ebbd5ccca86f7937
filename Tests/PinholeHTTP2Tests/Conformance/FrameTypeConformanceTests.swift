import Testing

@testable import PinholeHTTP2

/// RFC 9113 §6: each type of frame.
@Suite("Conformance: types of frames")
struct FrameTypeConformanceTests {
    private static let open = Frame.endHeaders
    private static let one = HTTP2StreamID(rawValue: 1)
    private static let opened = Frame.headers(1, flags: open)

    static let messages: [ConformanceCase] = [
        .server("6.1", "DATA on stream 0", [.peer(Frame.data(0, "x"))], .connection(.protocolError)),
        .server(
            "6.1",
            "DATA with more padding than payload",
            [.peer(opened + Frame.any(0, flags: 8, stream: 1, [4, 0, 0, 0]))],
            .connection(.protocolError)
        ),
        .server(
            "6.1",
            "DATA with room for no padding length",
            [.peer(opened + Frame.any(0, flags: 8, stream: 1, []))],
            .connection(.protocolError)
        ),
        .server(
            "6.1",
            "DATA that is all padding",
            [.peer(opened + Frame.any(0, flags: 9, stream: 1, [2, 0, 0]))],
            .event(.ended)
        ),
        .server(
            "6.1",
            "padded DATA",
            [.peer(opened + Frame.any(0, flags: 8, stream: 1, [2, 0x61, 0x62, 0, 0]))],
            .event(.data(one, 2))
        ),
        .server(
            "6.1",
            "DATA that ends the stream without a byte",
            [.peer(opened + Frame.data(1, flags: 1))],
            .event(.ended)
        ),
        .server(
            "6.2",
            "HEADERS with more padding than payload",
            [.peer(Frame.any(1, flags: 0xd, stream: 1, [200] + HPACK.literals(Frame.request)))],
            .connection(.protocolError)
        ),
        .server(
            "6.2",
            "padded HEADERS",
            [.peer(Frame.any(1, flags: 0xd, stream: 1, [2] + HPACK.literals(Frame.request) + [0, 0]))],
            .event(.request())
        ),
        .server(
            "6.2",
            "HEADERS with a priority",
            [.peer(Frame.any(1, flags: 0x25, stream: 1, [0, 0, 0, 0, 15] + HPACK.literals(Frame.request)))],
            .event(.request())
        ),
        .server(
            "6.2",
            "HEADERS with room for half a priority",
            [.peer(Frame.any(1, flags: 0x25, stream: 1, [0, 0, 0]))],
            .connection(.frameSizeError)
        ),
        .server(
            "6.3",
            "PRIORITY on stream 0",
            [.peer(Frame.any(2, stream: 0, [0, 0, 0, 0, 1]))],
            .connection(.protocolError)
        ),
        // The RFC asks for an error of the stream; the connection's is allowed wherever the stream's is (§5.4.2).
        .server(
            "6.3",
            "PRIORITY of four bytes",
            [.peer(opened + Frame.any(2, stream: 1, [0, 0, 0, 0]))],
            .connection(.frameSizeError)
        ),
        .server("6.4", "RST_STREAM on stream 0", [.peer(Frame.reset(0))], .connection(.protocolError)),
        .server(
            "6.4",
            "RST_STREAM of three bytes",
            [.peer(opened + Frame.any(3, stream: 1, [0, 0, 0]))],
            .connection(.frameSizeError)
        ),
        .server(
            "6.4",
            "RST_STREAM of five bytes",
            [.peer(opened + Frame.any(3, stream: 1, [0, 0, 0, 0, 8]))],
            .connection(.frameSizeError)
        ),
        .server(
            "7",
            "RST_STREAM with an unknown code",
            [.peer(opened + Frame.reset(1, 0xff))],
            .event(
                .reset(one, HTTP2ErrorCode(rawValue: 0xff), by: .peer, detail: "the peer reset the stream")
            )
        ),
        .server(
            "6.10",
            "CONTINUATION on stream 0",
            [.peer(Frame.headers(1, flags: 0) + Frame.continuation(0, []))],
            .connection(.protocolError)
        ),
        .server(
            "6.10",
            "CONTINUATION on another stream",
            [.peer(Frame.headers(1, flags: 0) + Frame.continuation(3, []))],
            .connection(.protocolError)
        ),
        .server(
            "6.10",
            "CONTINUATION after the end of a head",
            [.peer(opened + Frame.continuation(1, []))],
            .connection(.protocolError)
        ),
        .server(
            "6.10",
            "CONTINUATION after DATA",
            [.peer(opened + Frame.data(1, "x") + Frame.continuation(1, []))],
            .connection(.protocolError)
        ),
        .server(
            "6.10",
            "empty CONTINUATION frames, few",
            [
                .peer(
                    Frame.headers(1, flags: 1) + Frame.continuation(1, [], flags: 0)
                        + Frame.continuation(1, [])
                )
            ],
            .event(.request())
        ),
    ]

    static let settings: [ConformanceCase] = [
        .server(
            "6.5",
            "SETTINGS with ACK and a payload",
            [.peer(Frame.any(4, flags: 1, stream: 0, [0, 3, 0, 0, 0, 1]))],
            .connection(.frameSizeError)
        ),
        .server(
            "6.5",
            "SETTINGS on a stream",
            [.peer(opened + Frame.settings(stream: 1))],
            .connection(.protocolError)
        ),
        .server(
            "6.5",
            "SETTINGS of five bytes",
            [.peer(Frame.any(4, stream: 0, [0, 3, 0, 0, 0]))],
            .connection(.frameSizeError)
        ),
        .server("6.5.2", "ENABLE_PUSH of 2", [.peer(Frame.settings([2: 2]))], .connection(.protocolError)),
        .client(
            "6.5.2",
            "ENABLE_PUSH of 1 from a server",
            [.peer(Frame.settings([2: 1]))],
            .connection(.protocolError)
        ),
        .server(
            "6.5.2",
            "INITIAL_WINDOW_SIZE of 2^31",
            [.peer(Frame.settings([4: 1 << 31]))],
            .connection(.flowControlError)
        ),
        .server(
            "6.5.2",
            "INITIAL_WINDOW_SIZE of 2^31 - 1",
            [.peer(Frame.settings([4: 1 << 31 - 1]))],
            .answer(type: 4, flags: 1, stream: 0)
        ),
        .server(
            "6.5.2",
            "MAX_FRAME_SIZE of 16383",
            [.peer(Frame.settings([5: 16383]))],
            .connection(.protocolError)
        ),
        .server(
            "6.5.2",
            "MAX_FRAME_SIZE of 2^24",
            [.peer(Frame.settings([5: 1 << 24]))],
            .connection(.protocolError)
        ),
        .server(
            "6.5.2",
            "MAX_FRAME_SIZE of 2^24 - 1",
            [.peer(Frame.settings([5: 1 << 24 - 1]))],
            .answer(type: 4, flags: 1, stream: 0)
        ),
        .server(
            "6.5.2",
            "an unknown parameter",
            [.peer(Frame.settings([0xfafa: 7]))],
            .answer(type: 4, flags: 1, stream: 0)
        ),
        .server(
            "6.5.3",
            "a parameter twice: the last counts",
            [.peer(Frame.settings([3: 1, 3: 9]))],
            .event(.settings(concurrency(9)))
        ),
        .server(
            "6.5.3",
            "an ACK that nobody waits for",
            [.peer(Frame.settingsACK)],
            .connection(.protocolError)
        ),
        .server(
            "6.5.2",
            "HEADER_TABLE_SIZE of 0",
            [.peer(Frame.settings([1: 0]))],
            .answer(type: 4, flags: 1, stream: 0)
        ),
        .client(
            "8441 §3",
            "ENABLE_CONNECT_PROTOCOL of 2",
            [.peer(Frame.settings([8: 2]))],
            .connection(.protocolError)
        ),
        .client(
            "8441 §3",
            "ENABLE_CONNECT_PROTOCOL taken back",
            [.peer(Frame.settings([8: 1]) + Frame.settings([8: 0]))],
            .connection(.protocolError)
        ),
        .client(
            "8441 §3",
            "ENABLE_CONNECT_PROTOCOL of 1",
            [.peer(Frame.settings([8: 1]))],
            .event(.settings(extendedConnect))
        ),
        .server(
            "9218 §2.1",
            "NO_RFC7540_PRIORITIES of 2",
            [.peer(Frame.settings([9: 2]))],
            .connection(.protocolError)
        ),
        .server(
            "9218 §2.1",
            "NO_RFC7540_PRIORITIES that changes",
            opens: false,
            [.peer(Frame.preface + Frame.settings([9: 1]) + Frame.settings([9: 0]))],
            .connection(.protocolError)
        ),
    ]

    static let control: [ConformanceCase] = [
        .server(
            "6.6",
            "PUSH_PROMISE from a client",
            [.peer(opened + Frame.any(5, flags: 4, stream: 1, [0, 0, 0, 2]))],
            .connection(.protocolError)
        ),
        .client(
            "6.6",
            "PUSH_PROMISE though push is off",
            [.peer(Frame.any(5, flags: 4, stream: 1, [0, 0, 0, 2] + HPACK.literals(Frame.request)))],
            .connection(.protocolError)
        ),
        .client(
            "6.6",
            "PUSH_PROMISE on stream 0",
            [.peer(Frame.any(5, flags: 4, stream: 0, [0, 0, 0, 2]))],
            .connection(.protocolError)
        ),
        .server("6.7", "PING", [.peer(Frame.ping())], .answer(type: 6, flags: 1, stream: 0)),
        .server("6.7", "PING with ACK is not answered", [.peer(Frame.ping(flags: 1))], .ignored),
        .server("6.7", "PING on a stream", [.peer(Frame.ping(stream: 1))], .connection(.protocolError)),
        .server("6.7", "PING of seven bytes", [.peer(Frame.ping("1234567"))], .connection(.frameSizeError)),
        .server("6.7", "PING of nine bytes", [.peer(Frame.ping("123456789"))], .connection(.frameSizeError)),
        .server(
            "6.8",
            "GOAWAY",
            [.peer(Frame.goAway(last: 0, 2, "why"))],
            .lastEvent(
                .goAway(last: HTTP2StreamID(rawValue: 0), .internalError, debugData: Array("why".utf8))
            )
        ),
        .server(
            "6.8",
            "GOAWAY on a stream",
            [.peer(Frame.goAway(last: 0, stream: 1))],
            .connection(.protocolError)
        ),
        .server(
            "6.8",
            "GOAWAY of seven bytes",
            [.peer(Frame.any(7, stream: 0, [0, 0, 0, 0, 0, 0, 0]))],
            .connection(.frameSizeError)
        ),
        .client(
            "6.8",
            "GOAWAY whose last stream grows",
            [.peer(Frame.goAway(last: 1) + Frame.goAway(last: 3))],
            .connection(.protocolError)
        ),
        .client(
            "6.8",
            "GOAWAY below the request: it may be sent again",
            [.peer(Frame.goAway(last: 0))],
            .lastEvent(.refused(one))
        ),
        .client(
            "6.8",
            "GOAWAY above the request: it goes on",
            [.peer(Frame.goAway(last: 1) + Frame.headers(1, [":status": "200"]))],
            .lastEvent(.response(one, .status(200), endsStream: true))
        ),
        .client(
            "8.7",
            "REFUSED_STREAM: the request may be sent again",
            [.peer(Frame.reset(1, 7))],
            .event(.refused(one))
        ),
        .server(
            "9218 §7.1",
            "PRIORITY_UPDATE of a stream",
            [.peer(opened + Frame.priorityUpdate(1, "u=1, i"))],
            .event(.extensionFrame(.priorityUpdate(one, Array("u=1, i".utf8))))
        ),
        .server(
            "9218 §7.1",
            "PRIORITY_UPDATE on a stream",
            [.peer(opened + Frame.priorityUpdate(1, "u=1", stream: 1))],
            .connection(.protocolError)
        ),
        .server(
            "9218 §7.1",
            "PRIORITY_UPDATE of stream 0",
            [.peer(Frame.priorityUpdate(0, "u=1"))],
            .connection(.protocolError)
        ),
        .server(
            "9218 §7.1",
            "PRIORITY_UPDATE of a stream that is not open yet",
            [.peer(Frame.priorityUpdate(5, "u=0"))],
            .event(.extensionFrame(.priorityUpdate(HTTP2StreamID(rawValue: 5), Array("u=0".utf8))))
        ),
        .server(
            "9218 §7.1",
            "PRIORITY_UPDATE of a stream that was opened since",
            [.peer(Frame.priorityUpdate(1, "u=0") + Frame.headers(1))],
            .event(.request())
        ),
        .server(
            "9218 §7.1",
            "PRIORITY_UPDATE of a stream that is over",
            [.peer(opened + Frame.reset(1) + Frame.priorityUpdate(1, "u=0"))],
            .ignored
        ),
        .server(
            "9218 §7.1",
            "PRIORITY_UPDATE without a value",
            [.peer(opened + Frame.priorityUpdate(1, ""))],
            .event(.extensionFrame(.priorityUpdate(one, [])))
        ),
        .server(
            "9218 §7.1",
            "PRIORITY_UPDATE with a value that is none",
            [.peer(opened + Frame.priorityUpdate(1, "?!"))],
            .event(.extensionFrame(.priorityUpdate(one, Array("?!".utf8))))
        ),
        .server(
            "9218 §7.1",
            "PRIORITY_UPDATE with a value that is too long",
            [.peer(opened + Frame.priorityUpdate(1, "u=1" + String(repeating: ", a", count: 100)))],
            .ignored
        ),
        .server(
            "9218 §7.1",
            "PRIORITY_UPDATE of three bytes",
            [.peer(Frame.any(16, stream: 0, [0, 0, 1]))],
            .connection(.frameSizeError)
        ),
        .server(
            "9218 §7.1",
            "PRIORITY_UPDATE of more streams than may be open",
            [.peer((0...128).flatMap { Frame.priorityUpdate(UInt32($0 * 2 + 1), "u=1") })],
            .connection(.protocolError)
        ),
        .client(
            "9218 §7.1",
            "PRIORITY_UPDATE from a server",
            [.peer(Frame.priorityUpdate(1, "u=1"))],
            .connection(.protocolError)
        ),
        .client(
            "9218 §7.1",
            "PRIORITY_UPDATE to a server that takes part",
            opens: false,
            [
                .peer(Frame.settings([9: 1]) + Frame.settingsACK),
                .engine { $0.prioritize(Array("u=1".utf8), on: try $0.request(.get(), endsStream: true)) },
            ],
            .answer(type: 16, flags: 0, stream: 0)
        ),
    ]

    static let alternatives: [ConformanceCase] = [
        .client(
            "7838 §4",
            "ALTSVC on a stream",
            [.peer(Frame.alternativeService("h3=\":443\"", stream: 1))],
            .event(.extensionFrame(.alternativeService(one)))
        ),
        .client(
            "7838 §4",
            "ALTSVC for another origin",
            [.peer(Frame.alternativeService("h3=\":443\"", of: "https://b.test"))],
            .event(.extensionFrame(.alternativeService(HTTP2StreamID(rawValue: 0))))
        ),
        .client(
            "7838 §4",
            "ALTSVC on a stream that names an origin",
            [.peer(Frame.alternativeService("clear", of: "https://b.test", stream: 1))],
            .ignored
        ),
        .client(
            "7838 §4",
            "ALTSVC on a stream that is over",
            [.peer(Frame.reset(1) + Frame.alternativeService("clear", stream: 1))],
            .ignored
        ),
        .server(
            "7838 §4",
            "ALTSVC from a client",
            [.peer(opened + Frame.alternativeService("clear", stream: 1))],
            .ignored
        ),
    ]

    static let flow: [ConformanceCase] = [
        .server(
            "6.9",
            "WINDOW_UPDATE of 0 on the connection",
            [.peer(Frame.windowUpdate(0, 0))],
            .connection(.protocolError)
        ),
        .server(
            "6.9",
            "WINDOW_UPDATE of 0 on a stream",
            [.peer(opened + Frame.windowUpdate(1, 0))],
            .connection(.protocolError)
        ),
        .server(
            "6.9",
            "WINDOW_UPDATE of three bytes",
            [.peer(Frame.any(8, stream: 0, [0, 0, 1]))],
            .connection(.frameSizeError)
        ),
        .server(
            "6.9.1",
            "a window of the connection beyond 2^31 - 1",
            [.peer(Frame.windowUpdate(0, 1 << 31 - 1))],
            .connection(.flowControlError)
        ),
        .server(
            "6.9.1",
            "a window of a stream beyond 2^31 - 1",
            [.peer(opened + Frame.windowUpdate(1, 1 << 31 - 1))],
            .stream(1, .flowControlError)
        ),
        .server(
            "6.9.2",
            "SETTINGS that take a window beyond 2^31 - 1",
            [.peer(opened + Frame.windowUpdate(1, 1 << 31 - 1 - 65535) + Frame.settings([4: 65536]))],
            .connection(.flowControlError)
        ),
        .server(
            "6.9.1",
            "more on a stream than its window",
            settings: .narrow,
            [.peer(opened + Frame.data(1, "12345"))],
            .stream(1, .flowControlError)
        ),
        .server(
            "6.9.1",
            "as much on a stream as its window",
            settings: .narrow,
            [.peer(opened + Frame.data(1, "1234"))],
            .event(.data(one, 4))
        ),
        .server(
            "6.9",
            "the reserved bit of an increment",
            [.peer(Frame.windowUpdate(0, 0x8000_0001))],
            .ignored
        ),
    ]

    @Test("frames that carry messages", arguments: messages, [1, 4096])
    func messagesRules(rule: ConformanceCase, chunk: Int) throws { try rule.play(chunk: chunk) }

    @Test("SETTINGS", arguments: settings, [1, 4096])
    func settingsRules(rule: ConformanceCase, chunk: Int) throws { try rule.play(chunk: chunk) }

    @Test("frames that control the connection", arguments: control, [1, 4096])
    func controlRules(rule: ConformanceCase, chunk: Int) throws { try rule.play(chunk: chunk) }

    @Test("frames that name alternative services", arguments: alternatives, [1, 4096])
    func alternativeRules(rule: ConformanceCase, chunk: Int) throws { try rule.play(chunk: chunk) }

    @Test("of flow control", arguments: flow, [1, 4096])
    func flowRules(rule: ConformanceCase, chunk: Int) throws { try rule.play(chunk: chunk) }

    private static func concurrency(_ streams: UInt32) -> HTTP2Settings {
        var settings = HTTP2Settings()
        settings.maxConcurrentStreams = streams
        return settings
    }

    private static var extendedConnect: HTTP2Settings {
        var settings = HTTP2Settings()
        settings.enableConnectProtocol = true
        return settings
    }
}

extension HTTP2Settings {
    /// Four bytes on a stream.
    fileprivate static var narrow: HTTP2Settings {
        var settings = HTTP2Settings()
        settings.initialWindowSize = 4
        return settings
    }
}

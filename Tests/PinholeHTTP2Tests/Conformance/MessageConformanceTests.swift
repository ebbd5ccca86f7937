import PinholeModel
import Testing

@testable import PinholeHTTP2

/// RFC 9113 §8: messages.
///
/// What is malformed resets its stream, and the connection lives.
@Suite("Conformance: messages")
struct MessageConformanceTests {
    private static let open = Frame.endHeaders
    private static let one = HTTP2StreamID(rawValue: 1)
    private static let malformed = ConformanceCase.Outcome.stream(1, .protocolError)

    /// A request with further fields, or with others.
    private static func request(
        _ section: String,
        _ rule: String,
        _ more: KeyValuePairs<String, String>,
        instead: KeyValuePairs<String, String> = Frame.request,
        _ outcome: ConformanceCase.Outcome = malformed
    ) -> ConformanceCase {
        .server(
            section,
            rule,
            [.peer(Frame.block(1, HPACK.literals(instead) + HPACK.literals(more)))],
            outcome
        )
    }

    /// A response with further fields, or with others.
    private static func response(
        _ section: String,
        _ rule: String,
        _ fields: KeyValuePairs<String, String>,
        flags: UInt8 = Frame.endHeaders | Frame.endStream,
        _ outcome: ConformanceCase.Outcome = malformed
    ) -> ConformanceCase {
        .client(section, rule, [.peer(Frame.headers(1, fields, flags: flags))], outcome)
    }

    static let order: [ConformanceCase] = [
        .server(
            "8.1",
            "trailers that do not end the stream",
            [.peer(Frame.headers(1, flags: open) + Frame.headers(1, ["x": "y"], flags: open))],
            malformed
        ),
        .server(
            "8.1",
            "trailers",
            [.peer(Frame.headers(1, flags: open) + Frame.data(1, "x") + Frame.headers(1, ["x": "y"]))],
            .event(.trailers(one, ["x": "y"]))
        ),
        .server(
            "8.1",
            "trailers with a pseudo-field",
            [.peer(Frame.headers(1, flags: open) + Frame.headers(1, [":path": "/"]))],
            malformed
        ),
        // A stream that the server has not answered is not open to the library, so the whole connection ends. An
        // endpoint may take an error of a stream for one of the connection (§5.4.2).
        .client(
            "8.1",
            "DATA before the head of the response",
            [.peer(Frame.data(1, "x"))],
            .connection(.protocolError)
        ),
        .client(
            "8.1",
            "DATA after an interim response",
            [.peer(Frame.headers(1, [":status": "103"], flags: open) + Frame.data(1, "x"))],
            malformed
        ),
        .client(
            "8.1",
            "an interim response that ends the stream",
            [.peer(Frame.headers(1, [":status": "103"]))],
            malformed
        ),
        .client(
            "8.1",
            "two interim responses and a final one",
            [
                .peer(
                    Frame.headers(1, [":status": "100"], flags: open)
                        + Frame.headers(1, [":status": "103"], flags: open)
                        + Frame.headers(1, [":status": "200"])
                )
            ],
            .event(.response(one, .status(200), endsStream: true))
        ),
        .client("8.6", "status 101", [.peer(Frame.headers(1, [":status": "101"], flags: open))], malformed),
        .client(
            "8.1",
            "a second final head",
            [.peer(Frame.headers(1, [":status": "200"], flags: open) + Frame.headers(1, [":status": "200"]))],
            malformed
        ),
        .client(
            "8.1",
            "a response of a head alone, as gRPC sends errors",
            [.peer(Frame.headers(1, [":status": "200", "grpc-status": "5"]))],
            .event(.response(one, .status(200, ["grpc-status": "5"]), endsStream: true))
        ),
        .client(
            "8.1",
            "NO_ERROR after a whole response",
            endsStream: false,
            [.peer(Frame.headers(1, [":status": "413"]) + Frame.reset(1, 0))],
            .event(.reset(one, .noError, by: .peer, detail: "the peer reset the stream"))
        ),
        .client(
            "8.1.1",
            "more bytes than content-length",
            [
                .peer(
                    Frame.headers(1, [":status": "200", "content-length": "3"], flags: open)
                        + Frame.data(1, "1234")
                )
            ],
            malformed
        ),
        .client(
            "8.1.1",
            "fewer bytes than content-length",
            [
                .peer(
                    Frame.headers(1, [":status": "200", "content-length": "3"], flags: open)
                        + Frame.data(1, "12", flags: 1)
                )
            ],
            malformed
        ),
        .client(
            "8.1.1",
            "content-length without a body",
            [.peer(Frame.headers(1, [":status": "200", "content-length": "3"]))],
            malformed
        ),
        .client(
            "8.1.1",
            "content-length of a response to HEAD",
            request: [":method": "HEAD", ":scheme": "https", ":authority": "a", ":path": "/"],
            [.peer(Frame.headers(1, [":status": "200", "content-length": "3"]))],
            .event(.ended)
        ),
        .client(
            "8.1.1",
            "content-length in 304",
            [.peer(Frame.headers(1, [":status": "304", "content-length": "3"]))],
            .event(.ended)
        ),
        .server(
            "8.1.1",
            "more bytes than content-length",
            [.peer(Frame.headers(1, HTTP2Requests.three, flags: open) + Frame.data(1, "1234"))],
            malformed
        ),
        .server(
            "8.1.1",
            "fewer bytes than content-length",
            [
                .peer(
                    Frame.headers(1, HTTP2Requests.three, flags: open) + Frame.data(1, "12")
                        + Frame.data(1, flags: 1)
                )
            ],
            malformed
        ),
        .server(
            "8.1.1",
            "fewer bytes than content-length before trailers",
            [.peer(Frame.headers(1, HTTP2Requests.three, flags: open) + Frame.headers(1, ["x": "y"]))],
            malformed
        ),
        .server(
            "8.1.1",
            "as many bytes as content-length",
            [.peer(Frame.headers(1, HTTP2Requests.three, flags: open) + Frame.data(1, "123", flags: 1))],
            .event(.ended)
        ),
    ]

    static let fields: [ConformanceCase] = [
        request("8.1.1", "two content-lengths that differ", ["content-length": "0", "content-length": "1"]),
        request("8.1.1", "content-length that is not a number", ["content-length": "+0"]),
        request("8.1.1", "content-length beyond 64 bits", ["content-length": "99999999999999999999"]),
        request("8.2.1", "an upper-case name", ["X-A": "b"]),
        request("8.2.1", "an upper-case letter in a pseudo-field", [":Foo": "b"]),
        request("8.2.1", "a space in a name", ["x a": "b"]),
        request("8.2.1", "a colon in a name", ["x:a": "b"]),
        request("8.2.1", "an empty name", ["": "b"]),
        request("8.2.1", "a name beyond ASCII", ["é": "b"]),
        request("8.2.1", "DEL in a name", ["x\u{7f}": "b"]),
        request("8.2.1", "NUL in a value", ["x": "a\0b"]),
        request("8.2.1", "LF in a value", ["x": "a\nhost: b"]),
        request("8.2.1", "CR in a value", ["x": "a\rb"]),
        request("8.2.1", "a space before a value", ["x": " a"]),
        request("8.2.1", "a tab after a value", ["x": "a\t"]),
        request("8.2.1", "an empty value", ["x": ""], .event(.request(.get("/", ["x": ""])))),
        request("8.2.1", "a value beyond ASCII", ["x": "é"], .event(.request(.get("/", ["x": "é"])))),
        request("8.2.2", "connection", ["connection": "close"]),
        request("8.2.2", "keep-alive", ["keep-alive": "1"]),
        request("8.2.2", "proxy-connection", ["proxy-connection": "close"]),
        request("8.2.2", "transfer-encoding", ["transfer-encoding": "chunked"]),
        request("8.2.2", "upgrade", ["upgrade": "websocket"]),
        request("8.2.2", "te: gzip", ["te": "gzip"]),
        request("8.2.2", "te: trailers", ["te": "trailers"], .event(.request(.get("/", ["te": "trailers"])))),
        request(
            "8.2.3",
            "cookies in crumbs",
            ["cookie": "a=1", "cookie": "b=2"],
            .event(.request(.get("/", ["cookie": "a=1", "cookie": "b=2"])))
        ),
        response("8.2.1", "an upper-case name", [":status": "200", "X-A": "b"]),
        response("8.2.1", "LF in a value", [":status": "200", "x": "a\nb"]),
        response("8.2.2", "connection", [":status": "200", "connection": "close"]),
        response("8.2.2", "transfer-encoding", [":status": "200", "transfer-encoding": "chunked"]),
    ]

    static let pseudoFields: [ConformanceCase] = [
        request(
            "8.3",
            "a pseudo-field after a regular one",
            ["x": "y", ":path": "/"],
            instead: [":method": "GET", ":scheme": "https", ":authority": "a"]
        ),
        request("8.3", "a pseudo-field that nobody knows", [":foo": "bar"], instead: Frame.request),
        request("8.3", "a pseudo-field of responses", [":status": "200"]),
        request("8.3", "a pseudo-field twice", [":path": "/b"]),
        request("8.3.1", "no :method", [:], instead: [":scheme": "https", ":authority": "a", ":path": "/"]),
        request("8.3.1", "no :scheme", [:], instead: [":method": "GET", ":authority": "a", ":path": "/"]),
        request(
            "8.3.1",
            "no :path",
            [:],
            instead: [":method": "GET", ":scheme": "https", ":authority": "a"]
        ),
        request(
            "8.3.1",
            "an empty :path",
            [:],
            instead: [":method": "GET", ":scheme": "https", ":authority": "a", ":path": ""]
        ),
        request(
            "8.3.1",
            "a :path without its slash",
            [:],
            instead: [":method": "GET", ":scheme": "https", ":authority": "a", ":path": "b"]
        ),
        request(
            "8.3.1",
            ":path of an asterisk with OPTIONS",
            [:],
            instead: [":method": "OPTIONS", ":scheme": "https", ":authority": "a", ":path": "*"],
            .event(.ended)
        ),
        request(
            "8.3.1",
            ":path of an asterisk with GET",
            [:],
            instead: [":method": "GET", ":scheme": "https", ":authority": "a", ":path": "*"]
        ),
        request(
            "8.3.1",
            "host instead of :authority",
            ["host": "a"],
            instead: [":method": "GET", ":scheme": "https", ":path": "/"],
            .event(.ended)
        ),
        // The RFC allows it where there is no authority; a request to a proxy or an origin has one.
        request(
            "8.3.1",
            "neither :authority nor host",
            [:],
            instead: [":method": "GET", ":scheme": "https", ":path": "/"]
        ),
        request("8.3.1", "host twice", ["host": "example.org", "host": "example.org"]),
        request(
            "8.3.1",
            "a method that is no token",
            [:],
            instead: [":method": "G T", ":scheme": "https", ":authority": "a", ":path": "/"]
        ),
        request(
            "8.3.1",
            "NUL in :path",
            [:],
            instead: [":method": "GET", ":scheme": "https", ":authority": "a", ":path": "/\0"]
        ),
        request(
            "8.3.1",
            "LF in :authority",
            [:],
            instead: [":method": "GET", ":scheme": "https", ":authority": "a\nb", ":path": "/"]
        ),
        request(
            "8.5",
            "CONNECT",
            [:],
            instead: [":method": "CONNECT", ":authority": "a:443"],
            .event(.request([":method": "CONNECT", ":authority": "a:443"]))
        ),
        request(
            "8.5",
            "CONNECT with a path",
            [:],
            instead: [":method": "CONNECT", ":authority": "a:443", ":path": "/"]
        ),
        request(
            "8.5",
            "CONNECT with a scheme",
            [:],
            instead: [":method": "CONNECT", ":scheme": "https", ":authority": "a:443"]
        ),
        request("8.5", "CONNECT without :authority", [:], instead: [":method": "CONNECT"]),
        request("8441 §4", ":protocol that was not allowed", [:], instead: HTTP2Requests.webSocket),
        .server(
            "8441 §4",
            "extended CONNECT",
            settings: .extended,
            [.peer(Frame.headers(1, HTTP2Requests.webSocket, flags: open))],
            .event(.request(HeaderFields.webSocket, endsStream: false))
        ),
        .server(
            "8441 §4",
            ":protocol with GET",
            settings: .extended,
            [
                .peer(
                    Frame.headers(
                        1,
                        [
                            ":method": "GET", ":protocol": "websocket", ":scheme": "https", ":authority": "a",
                            ":path": "/",
                        ]
                    )
                )
            ],
            malformed
        ),
        .server(
            "8441 §4",
            "extended CONNECT without a path",
            settings: .extended,
            [
                .peer(
                    Frame.headers(
                        1,
                        [
                            ":method": "CONNECT", ":protocol": "websocket", ":scheme": "https",
                            ":authority": "a",
                        ]
                    )
                )
            ],
            malformed
        ),
        response("8.3.2", "no :status", ["x": "y"]),
        response("8.3.2", ":status of two digits", [":status": "20"]),
        response("8.3.2", ":status that is not a number", [":status": "2x0"]),
        response("8.3.2", ":status twice", [":status": "200", ":status": "200"]),
        response("8.3.2", ":status after a regular field", ["x": "y", ":status": "200"]),
        response("8.3", "a pseudo-field of requests", [":status": "200", ":path": "/"]),
    ]

    @Test("in the order of their parts", arguments: order, [1, 4096])
    func orderRules(rule: ConformanceCase, chunk: Int) throws { try rule.play(chunk: chunk) }

    @Test("and their fields", arguments: fields, [1, 4096])
    func fieldsRules(rule: ConformanceCase, chunk: Int) throws { try rule.play(chunk: chunk) }

    @Test("and their pseudo-fields", arguments: pseudoFields, [1, 4096])
    func pseudoFieldsRules(rule: ConformanceCase, chunk: Int) throws { try rule.play(chunk: chunk) }
}

/// Requests that more than one case sends.
private enum HTTP2Requests {
    static let three: KeyValuePairs<String, String> = [
        ":method": "POST", ":scheme": "https", ":authority": "a", ":path": "/", "content-length": "3",
    ]
    static let webSocket: KeyValuePairs<String, String> = [
        ":method": "CONNECT", ":protocol": "websocket", ":scheme": "https", ":authority": "a", ":path": "/",
    ]
}

extension HeaderFields {
    fileprivate static let webSocket: HeaderFields = [
        ":method": "CONNECT", ":protocol": "websocket", ":scheme": "https", ":authority": "a", ":path": "/",
    ]
}

extension HTTP2Settings {
    /// Settings that allow extended CONNECT.
    fileprivate static var extended: HTTP2Settings {
        var settings = HTTP2Settings()
        settings.enableConnectProtocol = true
        return settings
    }
}

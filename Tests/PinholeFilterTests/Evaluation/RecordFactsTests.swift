import PinholeFilter
import PinholeModel
import Testing

@Suite("Record facts")
struct RecordFactsTests {
    private static let start = Timestamp(seconds: 1_700_000_000)

    private static func exchange(_ change: (inout ExchangeRecord) -> Void = { _ in }) throws -> ExchangeRecord
    {
        var record = ExchangeRecord(
            id: ExchangeID(rawValue: 7),
            flow: FlowID(rawValue: 3),
            scheme: .https,
            authority: try Authority("api.example.com:443"),
            method: "POST",
            path: "/v1/Call?q=1",
            request: MessageRecord(
                head: Array(
                    "POST /v1/Call?q=1 HTTP/1.1\r\nContent-Type: application/grpc\r\nX-Id: abc\r\n\r\n".utf8
                )
            ),
            timings: ExchangeTimings(started: start)
        )
        change(&record)
        return record
    }

    private static func flow(_ change: (inout FlowRecord) -> Void = { _ in }) -> FlowRecord {
        var flow = FlowRecord(
            id: FlowID(rawValue: 3),
            opened: start,
            client: "127.0.0.1:5",
            listener: "127.0.0.1:8080"
        )
        flow.authority = "api.example.com:443"
        flow.treatment = .intercepted
        flow.server = "192.0.2.7:443"
        change(&flow)
        return flow
    }

    private static func truth(
        _ filter: String,
        _ exchange: ExchangeRecord?,
        _ flow: FlowRecord?
    ) throws -> Truth {
        var judge = FilterJudge(try Filter(filter))
        var facts = RecordFacts(exchange: exchange, flow: flow) { _, _ in TextFacts("teapot") }
        return judge.judge(&facts)
    }

    @Test(
        "a request without a response yet has the facts that rules and breakpoints ask for",
        arguments: [
            ("~q", Truth.yes), ("~s", .no), ("~m post", .yes), ("~d example", .yes),
            ("~u 'v1/call\\?q'", .yes), ("path == /v1/call", .yes),
            ("query == q=1", .yes), ("~hq 'x-id: abc'", .yes), ("~hs x", .open), ("~h x-id", .yes),
            ("~h nothing", .open),
            ("header[x-id] == ABC", .yes), ("response.header[x-id] == abc", .open), ("grpc", .yes),
            ("status == 200", .open),
            ("failed", .open), ("websocket", .open), ("~b teapot", .yes), ("duration > 1s", .open),
            ("outcome == completed", .open),
            ("~src 127", .yes), ("~dst 192", .yes), ("~dst api", .yes), ("~tcp", .no), ("intercepted", .yes),
            ("tls.alert", .open),
            ("id == 7 & flow == 3 & port == 443", .yes), ("time >= 2023-11-14", .yes),
            ("https & http & running", .yes),
        ]
    )
    func request(_ filter: String, _ expected: Truth) throws {
        #expect(try Self.truth(filter, Self.exchange(), Self.flow()) == expected)
    }

    @Test(
        "an exchange that is over",
        arguments: [
            ("~s", true), ("~q", false), ("status == 503", true), ("~hs 'server: x'", true), ("~a", true),
            ("~ts image", true),
            ("~t grpc", true), ("response.type == image/png", true), ("type == image", true),
            ("type ~ PNG", true),
            ("type == png", false), ("request.type == png", false), ("header[grpc-status] == 5", true),
            ("response.size > 1kB", true),
            ("size == 2000", true), ("request.size == 0", true), ("failed", true),
            ("outcome == abortedByServer", true),
            ("error contains reset", true), ("duration == 2s", true), ("firstbyte < 1s", true),
            ("connect > 0us", false),
            ("messages == 0", true), ("reused & retried", true), ("websocket", false), ("sse", false),
            ("running", false),
        ]
    )
    func over(_ filter: String, _ expected: Bool) throws {
        let exchange = try Self.exchange { record in
            record.status = 503
            var response = MessageRecord(
                head: Array("HTTP/1.1 503 X\r\nServer: x\r\nContent-Type: image/png\r\n\r\n".utf8)
            )
            response.trailers = Array("grpc-status: 5\r\n".utf8)
            response.body.length = 2000
            record.response = response
            record.outcome = .aborted(by: .server, "reset")
            record.notes = [.connectionReused, .retried]
            record.timings.responseStarted = Self.start + .milliseconds(500)
            record.timings.ended = Self.start + .seconds(2)
        }
        #expect(try Self.truth(filter, exchange, nil) == Truth(expected))
    }

    @Test(
        "an answer of the proxy's own: an error failed, and so did a close, which leaves the client with nothing",
        arguments: [(200, false), (399, false), (400, true), (503, true), (nil, true)] as [(Int?, Bool)]
    )
    func ownAnswer(status: Int?, isFailed: Bool) throws {
        let exchange = try Self.exchange { record in
            record.status = status
            record.outcome = .answeredByProxy("by a rule")
        }
        #expect(try Self.truth("failed", exchange, nil) == Truth(isFailed))
    }

    @Test(
        "a flow by itself",
        arguments: [
            ("pinned", true), ("tls.failed & tls & failed", true), ("tls.alert", true),
            ("tls.alert == unknown_ca", true),
            ("tls.alert == 48", true), ("tls.cause == looksPinned", true), ("host ~ *.example.com:443", true),
            ("sni == api.example.com", true), ("alpn == h2", true), ("tls.version == TLSv1.3", true),
            ("tls.cipher contains aes", true),
            ("resumed", false), ("treatment == intercepted", true), ("outcome == handshakeFailed", true),
            ("error contains pin", true),
            ("duration == 1s", true), ("id == 3", true), ("http", false), ("status == 200", false),
            ("status != 200", true),
            ("~u api", false), ("~m get", false), ("~b a", false), ("server == 192.0.2.7:443", true),
            ("client startswith 127", true),
        ]
    )
    func flow(_ filter: String, _ expected: Bool) throws {
        let flow = Self.flow { flow in
            flow.clientHello = ClientHelloRecord()
            flow.clientHello?.serverName = "api.example.com"
            var handshake = HandshakeRecord(peer: .client, started: Self.start, duration: .milliseconds(5))
            handshake.version = "TLSv1.3"
            handshake.cipher = "TLS_AES_128_GCM_SHA256"
            handshake.applicationProtocol = "h2"
            handshake.failure = HandshakeFailure(
                .looksPinned,
                isHint: true,
                endedBy: .client,
                alert: Alert(code: 48),
                detail: "a pin, maybe"
            )
            flow.clientHandshake = handshake
            flow.closed = Self.start + .seconds(1)
            flow.outcome = Outcome(.handshakeFailed, fault: .client, detail: "it was closed")
        }
        #expect(try Self.truth(filter, nil, flow) == Truth(expected))
    }

    @Test("of nothing, nothing is known")
    func nothing() throws {
        for filter in ["failed", "pinned", "~u a", "~src a", "status == 1"] {
            #expect(try Self.truth(filter, nil, nil) == .open)
        }
    }
}

import PinholeClient
import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeTelemetry

@Suite("Spans")
struct SpanTests {
    private static let now = Timestamp(seconds: 1_767_323_045)

    private static func exchange(
        _ method: String = "GET",
        path: String = "/",
        fields: String = "",
        status: Int? = 200,
        outcome: ExchangeOutcome? = .completed
    ) throws -> ExchangeRecord {
        var record = ExchangeRecord(
            id: ExchangeID(rawValue: 2),
            flow: FlowID(rawValue: 1),
            scheme: .https,
            authority: try Authority("[2001:db8::1]:443"),
            method: method,
            path: path,
            request: MessageRecord(head: Array("\(method) \(path) HTTP/2\r\n\(fields)\r\n".utf8)),
            timings: ExchangeTimings(started: now)
        )
        record.timings.ended = now + .seconds(1)
        record.status = status
        if status != nil { record.response = MessageRecord(head: Array("HTTP/1.1 200 OK\r\n\r\n".utf8)) }
        record.outcome = outcome
        return record
    }

    private static func value(_ name: String, _ span: Span) -> Span.Value? {
        span.attributes.first { $0.name == name }?.value
    }

    @Test("an exchange that has not ended has no span, and an answer of the proxy itself has one")
    func count() throws {
        let spans = TrafficSpans()
        #expect(spans.spans(of: try Self.exchange(outcome: nil), nil).isEmpty)
        #expect(spans.spans(of: try Self.exchange(outcome: .answeredByProxy("a rule")), nil).count == 1)
        #expect(spans.spans(of: try Self.exchange(), nil).count == 2)
    }

    @Test("each side has its own version of HTTP, and an address of IPv6 has no brackets")
    func versions() throws {
        let found = TrafficSpans().spans(of: try Self.exchange(), nil)
        #expect(found.map { Self.value("network.protocol.version", $0) } == [.text("2"), .text("1.1")])
        #expect(
            found.map { Self.value("server.address", $0) } == [.text("2001:db8::1"), .text("2001:db8::1")]
        )
    }

    @Test("spans name the program of a connection, and the alert of a failed one")
    func flow() throws {
        var flow = FlowRecord(
            id: FlowID(rawValue: 1),
            opened: Self.now,
            client: "127.0.0.1:5",
            listener: "127.0.0.1:1"
        )
        flow.clientProcess = ClientProcess(pid: 4711, name: "curl", path: "/usr/bin/curl")
        let outer = try #require(TrafficSpans().spans(of: try Self.exchange(), flow).first)
        #expect(Self.value("pinhole.client.process.name", outer) == .text("curl"))
        #expect(Self.value("client.port", outer) == .integer(5))
        #expect(TrafficSpans().span(of: flow) == nil)
        var handshake = HandshakeRecord(peer: .server, started: Self.now, duration: .zero)
        handshake.version = "TLSv1"
        handshake.failure = HandshakeFailure(
            .protocolError,
            isHint: false,
            endedBy: .server,
            alert: Alert(code: 40),
            detail: "no"
        )
        flow.serverHandshake = handshake
        flow.closed = Self.now
        let failed = try #require(TrafficSpans().span(of: flow))
        #expect(failed.kind == .client && failed.failure?.isEmpty == true)
        #expect(Self.value("pinhole.tls.alert", failed) == .text("handshake_failure"))
        #expect(Self.value("tls.protocol.version", failed) == .text("1.0"))
    }

    @Test("an unknown method becomes _OTHER, and is not sent")
    func method() throws {
        let found = TrafficSpans().spans(of: try Self.exchange("BREW"), nil)
        #expect(found.map(\.name) == ["HTTP", "HTTP"])
        #expect(Self.value("http.request.method", found[0]) == .text("_OTHER"))
        #expect(!"\(found)".contains("BREW"))
    }

    @Test(
        "a status is a failure of the client from 400 on, and of the server from 500 on",
        arguments: [(200, [false, false]), (404, [false, true]), (503, [true, true])]
    )
    func failures(status: Int, expected: [Bool]) throws {
        let found = TrafficSpans().spans(of: try Self.exchange(status: status), nil)
        #expect(found.map { $0.failure != nil } == expected)
    }

    @Test("an exchange without a response has its end as the type of its error, and no reason")
    func aborted() throws {
        let reason = "no way to anna@example.com at https://shop.test/?token=t0psecret"
        var record = try Self.exchange(status: nil, outcome: .failed(reason))
        record.rules = [RuleHit(rule: "for anna@example.com", kind: "block", effect: "")]
        let found = TrafficSpans().spans(of: record, nil)
        #expect(found.map { Self.value("error.type", $0) } == [.text("failed"), .text("failed")])
        #expect(found.allSatisfy { $0.failure?.isEmpty == true })
        #expect(Self.value("pinhole.rules", found[0]) == .texts(["block"]))
        let shown = "\(found)"
        #expect(!shown.contains("shop.test") && !shown.contains("anna") && !shown.contains("t0psecret"))
    }

    @Test(
        "spans have the template of a path and the names of parameters, and no value",
        arguments: [
            ("/users/SECRETc0rp%40a.example/orders?page=SECRET", "/users/{}/orders", ["page"]),
            ("/a;jsessionid=SECRET", "/{}", []), ("/login?next=%2Fx%3Ftoken%3DSECRET", "/login", ["next"]),
            ("/graphql?variables=%7B%22password%22%3A%22SECRET%22%7D", "/graphql", ["variables"]),
            ("/?SECRET", "/", []),
            ("/?X-Amz-Signature=SECRET&token=SECRET", "/", ["X-Amz-Signature", "token"]),
        ]
    )
    func values(path: String, template: String, names: [String]) throws {
        let fields = """
            User-Agent: bot/1.2 (SECRET@corp.example; SECRET) SECRET@x shop/SECRET\r\nCookie: a=SECRET\r\nReferer: /SECRET\r\n
            """
        let found = TrafficSpans().spans(of: try Self.exchange(path: path, fields: fields), nil)
        for span in found {
            #expect(Self.value("url.template", span) == .text(template))
            #expect(Self.value("pinhole.url.parameters", span) == (names.isEmpty ? nil : .texts(names)))
        }
        #expect(Self.value("pinhole.user_agent.products", found[0]) == .texts(["bot/1.2", "shop"]))
        #expect(!"\(found)".contains("SECRET"), "\(found)")
    }

    @Test(
        "spans have the product names and short versions of User-Agent",
        arguments: [
            ("curl/8.5.0", ["curl/8.5.0"]), ("", []), ("(anna@corp.example)", []),
            (
                "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.6099.109 Safari/537.36",
                ["Mozilla/5.0", "AppleWebKit/537.36", "Chrome/120.0.6099.109", "Safari/537.36"]
            ),
            ("shop/20240117 user-4711-00042-9", ["shop"]), ("app/1.0-anna", ["app"]),
            ("a (b (c) d) e)", ["a", "e"]),
        ] as [(String, [String])]
    )
    func userAgent(text: String, words: [String]) {
        #expect(UserAgentProducts(text).words == words)
    }

    @Test("the numbers of spans are the same each time, and others for another exchange")
    func numbers() throws {
        let first = TrafficSpans().spans(of: try Self.exchange(), nil)
        let again = TrafficSpans().spans(of: try Self.exchange(), nil)
        #expect(first.map(\.id) == again.map(\.id) && first.map(\.trace) == again.map(\.trace))
        var other = try Self.exchange()
        other.id = ExchangeID(rawValue: 3)
        #expect(Set(TrafficSpans().spans(of: other, nil).map(\.id)).isDisjoint(with: first.map(\.id)))
    }

    @Test(
        "a traceparent is taken only if it keeps the rules",
        arguments: [
            ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", true),
            ("01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more", true),
            ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more", false),
            ("ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", false),
            ("00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01", false),
            ("00-00000000000000000000000000000000-b7ad6b7169203331-01", false),
            ("00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01", false),
            ("00-0af7-b7ad6b7169203331-01", false), ("", false), ("-", false),
        ]
    )
    func traceContext(field: String, isTaken: Bool) throws {
        let record = try Self.exchange(fields: "traceparent: \(field)\r\n")
        let found = TrafficSpans().spans(of: record, nil)
        #expect((found[0].parent == [0xb7, 0xad, 0x6b, 0x71, 0x69, 0x20, 0x33, 0x31]) == isTaken)
        #expect(found[1].trace == found[0].trace && found[1].parent == found[0].id)
    }
}

@Suite("The queue of spans")
struct SpanQueueTests {
    private static func event(_ id: Int64, hasEnded: Bool = true) throws -> FlowEvent {
        var record = ExchangeRecord(
            id: ExchangeID(rawValue: id),
            flow: FlowID(rawValue: 1),
            scheme: .http,
            authority: try Authority("shop.test:80"),
            method: "GET",
            path: "/",
            request: MessageRecord(head: []),
            timings: ExchangeTimings(started: Timestamp(seconds: 0))
        )
        if hasEnded { record.outcome = .completed }
        return .exchange(record)
    }

    @Test("only finished records wait, the oldest is dropped if too many wait, and the loss is reported once")
    func bound() async throws {
        let queue = SpanQueue(capacity: 3)
        queue.add([try Self.event(9, hasEnded: false)])
        #expect(queue.count == 0)
        queue.add(try (1...5).map { try Self.event($0) })
        #expect(queue.takeLost() == 2)
        #expect(queue.takeLost() == 0)
        #expect(await queue.wait())
        #expect(queue.take(2) == [3, 4])
        queue.add([try Self.event(6)])
        #expect(queue.take(9) == [5, 6])
        #expect(queue.count == 0)
    }

    @Test("while numbers are not read, memory holds few more than may wait")
    func memory() throws {
        let queue = SpanQueue(capacity: 100)
        for round in 0..<Int64(100) { queue.add(try (1...50).map { try Self.event(round * 50 + $0) }) }
        #expect(queue.count == 100 && queue.heldCount < 200)
        #expect(queue.takeLost() == 4900)
        #expect(queue.take(1) == [4901])
    }

    @Test("a failed flow waits for sending, unless its exchanges have the failure")
    func flows() {
        let queue = SpanQueue()
        var flow = FlowRecord(
            id: FlowID(rawValue: 1),
            opened: Timestamp(seconds: 0),
            client: "127.0.0.1:5",
            listener: "127.0.0.1:1"
        )
        flow.closed = Timestamp(seconds: 1)
        queue.add([.flow(flow)])
        flow.outcome = Outcome(.aborted, detail: "gone")
        flow.exchanges = 2
        queue.add([.flow(flow)])
        #expect(queue.count == 0)
        flow.exchanges = 0
        queue.add([.flow(flow)])
        #expect(queue.count == 1)
    }

    @Test("a finished queue gives its waiting events, and then ends")
    func finish() async throws {
        let queue = SpanQueue()
        queue.add([try Self.event(1)])
        queue.finish()
        #expect(await queue.wait())
        #expect(queue.take(9) == [1])
        #expect(await !queue.wait())
    }

    @Test("a waiting reader gets the first number")
    func waiting() async throws {
        let queue = SpanQueue()
        async let found = queue.wait()
        queue.add([try Self.event(1)])
        #expect(await found)
    }
}

@Suite("Settings of a collector")
struct CollectorSettingsTests {
    @Test(
        "a URL without a path gets the one of traces",
        arguments: [
            ("http://127.0.0.1:4318", "http://127.0.0.1:4318/v1/traces"),
            ("http://127.0.0.1:4318/", "http://127.0.0.1:4318/v1/traces"),
            ("https://example.com/otlp/v1/traces", "https://example.com/otlp/v1/traces"),
        ]
    )
    func url(text: String, expected: String) throws {
        #expect(try CollectorSettings.traces(text).description == expected)
    }

    @Test("a text that is not a URL is refused, and a password is not repeated")
    func refused() throws {
        #expect(throws: AddressFailure.self) { try CollectorSettings.traces("127.0.0.1:4318") }
        do throws(AddressFailure) {
            _ = try CollectorSettings.traces("ftp://anna:secret@example.com")
            Issue.record("a URL with ftp: was taken")
        } catch {
            #expect(!error.description.contains("secret"))
        }
    }

    @Test("an attribute that the user named wins over the usual one, and an empty one is left out")
    func attributes() {
        let name = Span.Attribute(name: "service.name", value: .text("shop"))
        let resource = SpanResource(version: "1", machine: "", instance: "i", more: [name])
        #expect(resource.attributes.filter { $0.name == "service.name" } == [name])
        #expect(!resource.attributes.contains { $0.name == "host.name" })
    }

    @Test("waits grow to their bound, also if a collector asks for a longer one")
    func patience() {
        let patience = Collector.Patience()
        for tries in 1...70 {
            let wait = patience.wait(after: tries, asked: nil)
            #expect(wait <= patience.most && wait > .zero)
        }
        #expect(patience.wait(after: 1, asked: nil) <= patience.first)
        #expect(patience.wait(after: 1, asked: .seconds(20)) == .seconds(20))
        #expect(patience.wait(after: 1, asked: .seconds(1 << 40)) == patience.most)
        #expect(patience.wait(after: 1, asked: .zero) == patience.first)
    }

    @Test(
        "Retry-After is a number of seconds, or a date by the clock of the collector",
        arguments: [
            ("120", Duration.seconds(120)), ("-1", .zero), ("99999999999999", .seconds(86_400)),
            ("9223372036854775807", .seconds(86_400)), ("99999999999999999999999", .seconds(86_400)),
            ("Fri, 31 Dec 9999 23:59:59 GMT", .seconds(86_400)),
            ("Fri, 27 Nov 2026 18:02:00 GMT", .seconds(120)), ("Fri, 27 Nov 2026 17:00:00 GMT", .zero),
            ("soon", nil), ("", nil),
        ] as [(String, Duration?)]
    )
    func retryAfter(text: String, wait: Duration?) {
        var fields = HeaderFields()
        fields.append("Retry-After", text)
        if text.contains("GMT") { #expect(Collector.wait(asked: fields) == nil) }
        fields.append("Date", "Fri, 27 Nov 2026 18:00:00 GMT")
        #expect(Collector.wait(asked: fields) == wait)
    }
}

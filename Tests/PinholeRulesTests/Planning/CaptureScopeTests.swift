import PinholeFilter
import PinholeModel
import Testing

@testable import PinholeRules

@Suite("CaptureScope")
struct CaptureScopeTests {
    private static func exchange(_ path: String = "/a", type: String = "image/png") throws -> ExchangeRecord {
        ExchangeRecord(
            id: ExchangeID(rawValue: 2),
            flow: FlowID(rawValue: 1),
            scheme: .https,
            authority: try Authority("api.example.com:443"),
            method: "GET",
            path: path,
            request: MessageRecord(head: Array("GET \(path) HTTP/1.1\r\nAccept: text/plain\r\n\r\n".utf8)),
            timings: ExchangeTimings(started: Timestamp(seconds: 100))
        )
    }

    private static func answered(_ status: Int, _ type: String = "image/png") throws -> ExchangeRecord {
        var record = try exchange()
        record.status = status
        record.response = MessageRecord(
            head: Array("HTTP/1.1 \(status) x\r\nContent-Type: \(type)\r\n\r\n".utf8)
        )
        return record
    }

    private static func ended(_ status: Int?) throws -> ExchangeRecord {
        var record = try status.map { try answered($0) } ?? exchange()
        record.timings.ended = Timestamp(seconds: 103)
        record.outcome = status == nil ? .aborted(by: .client, "gone") : .completed
        return record
    }

    @Test(
        "decides as soon as it can: at the request, at the response, at the end",
        arguments: [
            ("host ~ *.example.com", [true, true, true]),
            ("host ~ *.example.org", [false, false, false]),
            ("~m post", [false, false, false]),
            ("header[accept] contains plain", [true, true, true]),
            ("status >= 400", [nil, true, true]),
            ("!(status >= 400)", [nil, false, false]),
            ("status < 400", [nil, false, false]),
            ("asset", [nil, true, true]),
            ("~s", [nil, true, true]),
            ("~q", [nil, false, false]),
            ("duration > 2s", [nil, nil, true]),
            ("duration > 4s", [nil, nil, false]),
            ("failed", [nil, true, true]), ("broken", [nil, nil, false]),
            ("websocket | ~m post", [nil, nil, false]),
            ("path == /b & duration > 2s", [false, false, false]),
            // A trailer may have it yet.
            ("~hs x-sum", [nil, nil, false]),
            ("!header[accept] contains html", [nil, nil, true]),
        ] as [(String, [Bool?])]
    )
    func moments(_ text: String, _ expected: [Bool?]) throws {
        let scope = CaptureScope(try Filter(text))
        let records = [try Self.exchange(), try Self.answered(404), try Self.ended(404)]
        #expect(records.map { scope.law.means($0, in: { nil }) } == expected)
        #expect(scope.isNarrow)
    }

    @Test("exchanges that ended without a response are unanswered")
    func unanswered() throws {
        #expect(CaptureScope(try Filter("~q")).law.means(try Self.ended(nil), in: { nil }) == true)
        #expect(CaptureScope(try Filter("~s")).law.means(try Self.ended(nil), in: { nil }) == false)
    }

    @Test("asks the flow, where a filter does")
    func flows() throws {
        var flow = FlowRecord(
            id: FlowID(rawValue: 1),
            opened: Timestamp(seconds: 1),
            client: "127.0.0.1:5",
            listener: "l"
        )
        let scope = CaptureScope(try Filter("client startswith 127.0.0.1 & host == api.example.com"))
        #expect(scope.law.means(try Self.exchange(), in: { flow }) == true)
        #expect(scope.law.means(try Self.exchange(), in: { nil }) == nil)
        #expect(!scope.law.means(flow), "it is not known yet which host it is")
        flow.authority = "api.example.com:443"
        #expect(scope.law.means(flow))
        #expect(!CaptureScope(try Filter("status >= 400")).law.means(flow), "a flow has no status")
    }

    @Test(
        "a fact of a flow that is unknown at the end of an exchange counts as missing",
        arguments: ["!tls", "!(server ~ 9.9.9.9)", "!pinned", "host == api.example.com & !resumed"]
    )
    func absent(_ text: String) throws {
        let flow = FlowRecord(
            id: FlowID(rawValue: 1),
            opened: Timestamp(seconds: 1),
            client: "127.0.0.1:5",
            listener: "l"
        )
        let law = CaptureScope(try Filter(text)).law
        #expect(law.means(try Self.answered(200), in: { flow }) == nil)
        #expect(law.means(try Self.ended(200), in: { flow }) == true)
    }

    @Test("an exchange keeps the filter with which it began")
    func kept() throws {
        let scope = CaptureScope(try Filter("status >= 400"))
        let law = scope.law
        scope.replace(with: try Filter("host == other.test"))
        #expect(law.means(try Self.ended(404), in: { nil }) == true)
        #expect(scope.law.means(try Self.ended(404), in: { nil }) == false)
    }

    @Test("another filter counts at once")
    func replaced() throws {
        let scope = CaptureScope()
        let exchange = try Self.exchange()
        #expect(!scope.isNarrow && scope.law.means(exchange, in: { nil }) == true)
        scope.replace(with: try Filter("~m post"))
        #expect(scope.isNarrow && scope.law.means(exchange, in: { nil }) == false)
        scope.replace(with: .everything)
        #expect(!scope.isNarrow && scope.filter == .everything)
    }

    @Test(
        "a condition that can never be known at that point is refused",
        arguments: [
            ("~b tea", "body"), ("request.body contains x | ~m post", "request.body"), ("!marked", "marked"),
            ("comment contains x", "comment"), ("~marker x", "marker"), ("running", "running"),
            ("id > 7", "id"), ("flow == 7", "flow"), ("~m get | process == curl", "process"),
            ("pid == 7", "pid"),
        ]
    )
    func refused(_ text: String, _ name: String) throws {
        let problem = CaptureScope.problem(of: try Filter(text))
        #expect(problem?.contains("found “\(name)”") == true)
        #expect(
            CaptureScope.problem(of: try Filter("status >= 400 | ~m post | tls.failed | proxy.user == a"))
                == nil
        )
    }
}

import PinholeModel
import Testing

@testable import PinholeConsole

@Suite("Timings of a list")
struct TrafficTimingTests {
    /// The fields that a browser sends with the request for a page of a server with TLS.
    private static let navigation = "Sec-Fetch-Dest: document\r\n"

    /// Exchange 2 on a connection that was open before, with these fields of its request and its response.
    private static func stage(request: String = "", response: String = "") throws -> ConsoleStage {
        var flow = FlowRecord.sample(1)
        flow.serverHandshake = HandshakeRecord(
            peer: .server,
            started: ConsoleStage.epoch - .milliseconds(30),
            duration: .milliseconds(20)
        )
        var exchange = try ExchangeRecord.sample(2, fields: response)
        exchange.request.head = Array("GET / HTTP/1.1\r\nHost: example.com\r\n\(request)\r\n".utf8)
        exchange.timings.connect = .milliseconds(7)
        exchange.timings.tls = .milliseconds(20)
        exchange.timings.requestEnded = exchange.timings.started + .milliseconds(1)
        exchange.timings.responseStarted = exchange.timings.started + .milliseconds(40)
        return try ConsoleStage([.flow(flow), .exchange(exchange)])
    }

    private static func item(_ stage: ConsoleStage) async throws -> [String: Any] {
        let page = try await stage.ask("GET", "/api/traffic").json()
        return try #require((page["items"] as? [[String: Any]])?.first)
    }

    @Test("an item has the timings of its detail, also those of a connection that was open before")
    func timings() async throws {
        let stage = try Self.stage()
        let listed = try #require(try await Self.item(stage)["timings"] as? [String: Double])
        #expect(
            listed == [
                "connect": 7, "tls": 20, "setUpBefore": 27, "requestEnded": 1, "firstByte": 40, "total": 5,
            ]
        )
        let detail = try await stage.ask("GET", "/api/traffic/2").json()
        #expect(detail["timings"] as? [String: Double] == listed)
    }

    @Test(
        "the destination comes from Sec-Fetch-Dest, or is a page if a browser accepts HTML",
        arguments: [
            (navigation, "document"), ("Sec-Fetch-Dest: image\r\nAccept: text/html\r\n", "image"),
            ("Accept: text/html,application/xhtml+xml,application/xml;q=0.9\r\n", "document"),
            ("Accept: text/html, */*; q=0.01\r\n", nil), ("Accept: */*\r\n", nil), ("", nil),
        ] as [(String, String?)]
    )
    func destination(fields: String, expected: String?) async throws {
        #expect(try await Self.item(try Self.stage(request: fields))["destination"] as? String == expected)
    }

    @Test("an item has the Referer of its request and all Server-Timing fields of its response")
    func cause() async throws {
        let stage = try Self.stage(
            request: "Referer: https://example.com/a?b=1\r\n",
            response: "Server-Timing: db;dur=53\r\nserver-timing: cache;desc=\"a, b\"\r\n"
        )
        let item = try await Self.item(stage)
        #expect(item["referer"] as? String == "https://example.com/a?b=1")
        #expect(item["serverTiming"] as? String == "db;dur=53, cache;desc=\"a, b\"")
        let bare = try await Self.item(try Self.stage())
        #expect(bare["referer"] == nil && bare["serverTiming"] == nil)
    }
}

import Foundation
import PinholeModel
import PinholeStore
import PinholeTestKit
import Testing

@Suite("pinhole flows")
struct FlowsCommandTests {
    private func binary() throws -> PinholeBinary {
        let binary = try PinholeBinary()
        let options = CaptureStore.Options(path: binary.directory.file("pinhole.sqlite"))
        let store = try CaptureStore.open(options, now: Timestamp(seconds: 1_700_000_000))
        store.record([.flow(Self.flow(1, .completed)), .exchange(try Self.exchange(2, "GET", 200))])
        store.record([.exchange(try Self.exchange(3, "POST", 404)), .flow(Self.flow(4, .dialFailed))])
        store.close()
        return binary
    }

    private static func flow(_ id: Int64, _ outcome: Outcome.Kind) -> FlowRecord {
        var record = FlowRecord(
            id: FlowID(rawValue: id),
            opened: Timestamp(seconds: 1_700_000_000),
            client: "127.0.0.1:5",
            listener: "127.0.0.1:8080"
        )
        record.authority = "down.test:443"
        record.closed = Timestamp(seconds: 1_700_000_001)
        record.treatment = .intercepted
        record.exchanges = outcome == .completed ? 2 : 0
        record.outcome = Outcome(outcome, fault: .server, detail: "nobody listens")
        return record
    }

    private static func exchange(_ id: Int64, _ method: String, _ status: Int) throws -> ExchangeRecord {
        var record = ExchangeRecord(
            id: ExchangeID(rawValue: id),
            flow: FlowID(rawValue: 1),
            scheme: .https,
            authority: try Authority("api.test:443"),
            method: method,
            path: "/item",
            request: MessageRecord(head: Array("\(method) /item HTTP/1.1\r\nHost: api.test\r\n\r\n".utf8)),
            timings: ExchangeTimings(started: Timestamp(seconds: 1_700_000_000))
        )
        record.request.body.isComplete = true
        record.status = status
        var response = MessageRecord(head: Array("HTTP/1.1 \(status) X\r\nContent-Length: 5\r\n\r\n".utf8))
        response.body.inline = Array("hello".utf8)
        response.body.length = 5
        response.body.capturedLength = 5
        response.body.isComplete = true
        record.response = response
        record.timings.ended = Timestamp(microseconds: 1_700_000_000_500_000)
        record.outcome = .completed
        return record
    }

    @Test("lists exchanges and failed flows, oldest first")
    func list() async throws {
        let result = try await binary().run("flows", "list")
        let lines = result.text.split(separator: "\n")
        #expect(result.isSuccess && lines.count == 3, "\(result)")
        #expect(lines[0].contains("GET     200       5 B    500 ms  https://api.test/item"), "\(result)")
        #expect(lines[2].contains("FAILED") && lines[2].contains("nobody listens"), "\(result)")
    }

    @Test(
        "filters",
        arguments: [
            (["--status", "4xx"], [3]), (["--method", "get"], [2]), (["--failed"], [4]),
            (["--host", "down.*"], [4]),
            (["--limit", "1"], [4]), (["--url", "item"], [2, 3]),
        ]
    )
    func filters(_ arguments: [String], _ expected: [Int]) async throws {
        let binary = try binary()
        let result = try await ProcessRunner.run(binary.invocation(["flows", "list", "--json"] + arguments))
        let ids = try result.text.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])["id"]
                as? Int
        }
        #expect(ids == expected, "\(result)")
    }

    @Test("nothing found is exit code 1, no capture 3")
    func nothing() async throws {
        #expect(try await binary().run("flows", "list", "--host", "x.test").exit == .code(1))
        let missing = try await PinholeBinary().run("flows", "list")
        #expect(
            missing.exit == .code(3) && missing.errorText.contains("Record something first"),
            "\(missing)"
        )
        let none = try await PinholeBinary().run("flows", "list", "--capture", "none")
        #expect(none.exit == .code(2), "\(none)")
    }

    @Test("--follow tells what comes")
    func follow() async throws {
        let binary = try binary()
        try await SpawnedProcess.run(binary.invocation(["flows", "list", "--follow", "--json"])) { process in
            _ = try await process.line { $0.contains("\"id\":4") }
            let options = CaptureStore.Options(path: binary.directory.file("pinhole.sqlite"))
            let store = try CaptureStore.open(options, now: Timestamp(seconds: 1_700_000_000))
            store.record([.exchange(try Self.exchange(store.nextID(), "PUT", 201))])
            store.close()
            _ = try await process.line { $0.contains("\"PUT\"") }
        }
    }

    @Test("shows an exchange, and a failed flow")
    func show() async throws {
        let binary = try binary()
        let exchange = try await binary.run("flows", "show", "2")
        #expect(exchange.isSuccess && exchange.text.contains("  Host: api.test\n"), "\(exchange)")
        #expect(
            exchange.text.contains("  hello\n") && exchange.text.contains("flow 1  down.test:443"),
            "\(exchange)"
        )
        let flow = try await binary.run("flows", "show", "4")
        #expect(flow.text.contains("outcome     dialFailed, by the server: nobody listens"), "\(flow)")
        let json = try await binary.run("flows", "show", "2", "--json")
        let object = try JSONSerialization.jsonObject(with: Data(json.output)) as? [String: Any]
        #expect((object?["response"] as? [String: Any])?["bodyBase64"] as? String == "aGVsbG8=", "\(json)")
        #expect(try await binary.run("flows", "show", "99").exit == .code(1))
    }

    @Test("exports HAR, a curl command, and bytes")
    func export() async throws {
        let binary = try binary()
        let har = try await binary.run("flows", "export", "--har", "-")
        let object = try JSONSerialization.jsonObject(with: Data(har.output)) as? [String: [String: Any]]
        #expect((object?["log"]?["entries"] as? [Any])?.count == 2, "\(har)")
        let file = try await binary.run("flows", "export", "--har", "x.har", "--status", "404")
        #expect(file.errorText == "wrote 1 exchange to x.har\n" && file.text.isEmpty, "\(file)")
        let curl = try await binary.run("flows", "export", "--curl", "2")
        #expect(curl.text.hasPrefix("curl --http1.1"), "\(curl)")
        let raw = try await binary.run("flows", "export", "--raw", "2", "--part", "response")
        #expect(raw.text == "HTTP/1.1 200 X\r\nContent-Length: 5\r\n\r\nhello", "\(raw)")
        #expect(try await binary.run("flows", "export", "--raw", "99").exit == .code(1))
    }
}

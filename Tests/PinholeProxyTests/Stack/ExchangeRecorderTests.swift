import Foundation
import PinholeModel
import PinholeRules
import PinholeTestKit
import Testing

@testable import PinholeProxy

/// The capture is what passed: true lengths, a capped copy, timings in their order.
@Suite("ExchangeRecorder")
struct ExchangeRecorderTests {
    /// Byte values that show when a piece is missing, doubled or in the wrong place.
    private static func pattern(_ count: Int) -> [UInt8] {
        (0..<count).map { place in UInt8(truncatingIfNeeded: place * 7 + place >> 8) }
    }

    @Test("keeps a long body in parts, and all of it", arguments: [true, false])
    func parts(isTLS: Bool) throws {
        var policy = try Tunnels.world.policy()
        policy.limits.bodyInline = 1000
        let harness = try Tunnels.any(isTLS: isTLS, policy: policy)
        let up = Self.pattern(5000)
        let down = Self.pattern(300_000)
        harness.client.send(
            "POST \(harness.target("/", isTLS: isTLS)) HTTP/1.1\r\nHost: www.example.com\r\nContent-Length: 5000\r\n\r\n"
        )
        harness.client.send(up)
        harness.pump()
        harness.server?.send("HTTP/1.1 200 OK\r\nContent-Length: 300000\r\n\r\n")
        harness.server?.send(down)
        harness.pump()
        #expect(harness.client.received.suffix(300_000) == down[...])
        let exchange = try #require(harness.exchanges.first)
        #expect(harness.body(of: exchange, .request) == up)
        #expect(harness.body(of: exchange, .response) == down)
        #expect(exchange.request.body.inline.count <= 1000)
        #expect(exchange.response?.body.length == 300_000)
        #expect(exchange.response?.body.isTruncated == false)
        harness.checkExchanges()
    }

    @Test(
        "cuts the recorded body at the limit, and marks it as truncated",
        arguments: [1, 999, 1000, 1001, 2500]
    )
    func truncation(capture: Int64) throws {
        var policy = try Tunnels.world.policy()
        policy.limits.bodyInline = 1000
        policy.limits.bodyCapture = capture
        let harness = try Tunnels.plain(chunk: 700, policy: policy)
        let body = Self.pattern(10_000)
        harness.client.send("GET http://a.test/ HTTP/1.1\r\nHost: a.test\r\n\r\n")
        harness.pump()
        harness.server?.send("HTTP/1.1 200 OK\r\nContent-Length: 10000\r\n\r\n")
        harness.server?.send(body)
        harness.pump()
        let exchange = try #require(harness.exchanges.first)
        #expect(exchange.response?.body.length == 10_000)
        #expect(exchange.response?.body.capturedLength == capture)
        #expect(exchange.response?.body.isTruncated == true)
        #expect(exchange.response?.body.isComplete == true)
        #expect(harness.body(of: exchange, .response) == Array(body.prefix(Int(capture))))
    }

    @Test("replaced records are released", .enabled(if: !Sanitizer.isPresent))
    func memory() async {
        await #expect(processExitsWith: .success) {
            let large = Array(repeating: 0x61 as UInt8, count: 1 << 20)
            let address = try Authority("a.test:443")
            func request(_ path: String) -> RuleRequest {
                RuleRequest(
                    scheme: .https,
                    authority: address,
                    method: "GET",
                    path: path,
                    fields: HeaderFields()
                )
            }
            var recorder = ExchangeRecorder(Shared(try Tunnels.world.policy()), keepsBodies: false)
            let flow = FlowRecord(
                id: FlowID(rawValue: 1),
                opened: Timestamp(seconds: 0),
                client: "",
                listener: ""
            )
            var events: [FlowEvent] = []
            var early = 0
            for round in 0..<300 {
                if round == 20 { early = residentKibibytes() }
                let record = ExchangeRecord(
                    id: ExchangeID(rawValue: 2),
                    flow: flow.id,
                    scheme: .https,
                    authority: address,
                    method: "GET",
                    path: String(decoding: large, as: UTF8.self),
                    request: MessageRecord(head: large + [0x0a]),
                    timings: ExchangeTimings(started: Timestamp(seconds: 0))
                )
                recorder.begin(record, isStream: false, of: flow, into: &events)
                recorder.noteReplacedRequest(large + [0x0d], request("/"), as: request("/other"))
                for _ in 0..<2 {
                    recorder.noteAnswer(large + [0x0b], [], status: 200, at: Timestamp(seconds: 1))
                }
                recorder.noteTrailers(large + [0x0c], of: .request)
                recorder.noteTrailers(large + [0x0c], of: .request)
            }
            exit(residentKibibytes() - early < 64 << 10 ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }

    /// The pieces of a response that were recorded with their times.
    private static func pieces(_ harness: StackHarness) -> [(bytes: String, time: Timestamp)] {
        harness.records.compactMap { event in
            guard case .bodyPiece(_, .response, let bytes, let time) = event else { return nil }
            return (String(decoding: bytes, as: UTF8.self), time)
        }
    }

    @Test("records an event stream piece by piece while it runs", arguments: [true, false])
    func eventStream(isTLS: Bool) throws {
        let harness = try Tunnels.any(isTLS: isTLS)
        harness.client.send(
            "GET \(harness.target("/", isTLS: isTLS)) HTTP/1.1\r\nHost: www.example.com\r\n\r\n"
        )
        harness.pump()
        harness.server?.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
        harness.pump()
        let begun = try #require(harness.allExchanges.last)
        #expect(begun.status == 200 && begun.outcome == nil && begun.response?.body.isComplete == false)
        for round in 1...3 {
            harness.now = harness.now + .milliseconds(600)
            harness.server?.send("data: \(round)\n\n")
            harness.pump()
            #expect(harness.client.text.hasSuffix("data: \(round)\n\n"))
            #expect(Self.pieces(harness).count == round)
        }
        let pieces = Self.pieces(harness)
        #expect(pieces.map(\.bytes) == ["data: 1\n\n", "data: 2\n\n", "data: 3\n\n"])
        #expect(pieces[1].time - pieces[0].time >= .milliseconds(600))
        // At its head, and a second later.
        #expect(harness.allExchanges.map { $0.response?.body.length } == [0, 18])
        harness.server?.close()
        harness.pump()
        let ended = try #require(harness.exchanges.last)
        #expect(ended.response?.body.inline == [] && ended.response?.body.length == 27)
        #expect(harness.body(of: ended, .response) == Array("data: 1\n\ndata: 2\n\ndata: 3\n\n".utf8))
        harness.checkExchanges()
    }

    @Test(
        "a long exchange is recorded while it is open and when it is answered, with complete bodies"
    )
    func slow() throws {
        let harness = try Tunnels.plain()
        harness.client.send("POST http://a.test/ HTTP/1.1\r\nHost: a.test\r\nContent-Length: 4\r\n\r\nab")
        harness.pump()
        #expect(harness.recordSlow(before: harness.now - .seconds(1)) && harness.allExchanges.isEmpty)
        #expect(!harness.recordSlow(before: harness.now) && !harness.hasUnrecorded)
        harness.client.send("cd")
        harness.pump()
        let waiting = try #require(harness.allExchanges.first)
        #expect(waiting.outcome == nil && waiting.response == nil)
        #expect(waiting.request.body.inline == Array("ab".utf8))
        harness.server?.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n")
        harness.pump()
        #expect(harness.allExchanges.last?.status == 200 && harness.allExchanges.last?.outcome == nil)
        harness.server?.send("efgh")
        harness.pump()
        // What a reader has of a body is a beginning of it at any time: nothing is put in front of parts.
        let exchange = try #require(harness.exchanges.first)
        #expect(exchange.request.body.inline == Array("ab".utf8) && exchange.response?.body.inline == [])
        #expect(harness.body(of: exchange, .request) == Array("abcd".utf8))
        #expect(harness.body(of: exchange, .response) == Array("efgh".utf8))
        #expect(harness.allExchanges.count == 3)
        harness.checkExchanges()
    }

    @Test("a short exchange is recorded once")
    func quick() throws {
        let harness = try Tunnels.plain()
        harness.client.send("GET http://a.test/ HTTP/1.1\r\nHost: a.test\r\n\r\n")
        harness.pump()
        #expect(harness.hasUnrecorded)
        harness.server?.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        harness.pump()
        #expect(!harness.hasUnrecorded && !harness.recordSlow(before: harness.now + .seconds(9)))
        #expect(harness.allExchanges.map(\.outcome) == [.completed])
    }

    @Test("a body that pauses is a stream from there on, whatever its type")
    func pause() throws {
        let harness = try Tunnels.plain()
        harness.client.send("GET http://a.test/ HTTP/1.1\r\nHost: a.test\r\n\r\n")
        harness.pump()
        harness.server?.send(
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 6\r\n\r\n[1"
        )
        harness.pump()
        #expect(harness.allExchanges.isEmpty)
        for piece in [",2", ",]"] {
            harness.now = harness.now + .milliseconds(150)
            harness.server?.send(piece)
            harness.pump()
        }
        #expect(Self.pieces(harness).map(\.bytes) == [",2", ",]"])
        #expect(harness.allExchanges.map { $0.outcome == nil } == [true, false])
        let exchange = try #require(harness.exchanges.first)
        #expect(exchange.response?.body.inline == Array("[1".utf8))
        #expect(harness.body(of: exchange, .response) == Array("[1,2,]".utf8))
    }

    @Test("interim responses without an end pass, and the first ones are kept")
    func interims() throws {
        let harness = try Tunnels.plain()
        harness.client.send("GET http://a.test/ HTTP/1.1\r\nHost: a.test\r\n\r\n")
        harness.pump()
        let hint = "HTTP/1.1 103 Early Hints\r\nLink: \(String(repeating: "a", count: 1000))\r\n\r\n"
        for _ in 0..<100 {
            harness.server?.send(hint)
            harness.pump()
        }
        harness.server?.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        harness.pump()
        #expect(harness.client.text.utf8.count > 100 * hint.utf8.count)
        let exchange = try #require(harness.exchanges.first)
        #expect(exchange.informational.count == (64 << 10) / hint.utf8.count)
        #expect(exchange.notes.contains(.interimLeftOut) && exchange.outcome == .completed)
    }

    @Test("an event stream without an end is kept up to the limit, and passes on")
    func endless() throws {
        var policy = try Tunnels.world.policy()
        policy.limits.bodyCapture = 1000
        let harness = try Tunnels.plain(policy: policy)
        harness.client.send("GET http://a.test/ HTTP/1.1\r\nHost: a.test\r\n\r\n")
        harness.pump()
        harness.server?.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
        for _ in 0..<100 {
            harness.now = harness.now + .milliseconds(50)
            harness.server?.send(Self.pattern(100))
            harness.pump()
        }
        #expect(harness.client.received.suffix(10_000).count == 10_000)
        #expect(Self.pieces(harness).count == 10)
        let record = try #require(harness.allExchanges.last)
        #expect(record.outcome == nil && record.response?.body.capturedLength == 1000)
        #expect(record.response?.body.isTruncated == true)
        #expect((5...8).contains(harness.allExchanges.count))
    }

    @Test("keeps lengths and no bytes where bodies are not captured")
    func noBodies() throws {
        let harness = try Tunnels.plain(keepsBodies: false)
        harness.client.send("GET http://a.test/ HTTP/1.1\r\nHost: a.test\r\n\r\n")
        harness.pump()
        harness.server?.send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc")
        harness.pump()
        let exchange = try #require(harness.exchanges.first)
        #expect(exchange.response?.body.length == 3)
        #expect(harness.body(of: exchange, .response) == [])
    }

    @Test("notes an answer of the proxy, without the body that HEAD leaves out")
    func answers() throws {
        let harness = try Tunnels.plain()
        harness.onDial = { _ in .fail(DialFailure(.refused, "a.test refused the connection")) }
        for method in ["GET", "HEAD"] {
            harness.client.send("\(method) http://a.test/ HTTP/1.1\r\nHost: a.test\r\n\r\n")
            harness.pump()
        }
        #expect(harness.exchanges.map(\.status) == [502, 502])
        #expect(harness.exchanges.allSatisfy { $0.request.body.isComplete })
        #expect((harness.exchanges.first?.response?.body.length ?? 0) > 0)
        #expect(harness.exchanges.last?.response?.body.length == 0)
        harness.checkExchanges()
    }

    @Test("has the times of resolving, connecting and TLS")
    func timings() throws {
        let world = try Tunnels.world
        let harness = try Tunnels.plain(server: TestPeer(tls: try world.server(for: "a.test")))
        harness.client.send("GET https://a.test/ HTTP/1.1\r\nHost: a.test\r\n\r\n")
        harness.pump()
        harness.server?.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        harness.pump()
        let timings = try #require(harness.exchanges.first?.timings)
        #expect(timings.connect == .milliseconds(1) && timings.resolve == .milliseconds(1))
        #expect((timings.tls ?? .zero) > .zero)
        harness.checkExchanges()
    }
}

private func residentKibibytes() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    return line?.split(separator: " ").compactMap { Int($0) }.first ?? 0
}

import PinholeFormats
import PinholeModel
import Testing

@testable import PinholeCommand
@testable import PinholeSession

@Suite("Traffic lines")
struct TrafficTests {
    private func exchange(_ outcome: ExchangeOutcome?) throws -> ExchangeRecord {
        var record = ExchangeRecord(
            id: ExchangeID(rawValue: 2),
            flow: FlowID(rawValue: 1),
            scheme: .https,
            authority: try Authority("example.test:443"),
            method: "GET",
            path: "/a\u{1b}",
            request: MessageRecord(head: [1, 2]),
            timings: ExchangeTimings(started: Timestamp(seconds: 0))
        )
        record.status = 200
        record.response = MessageRecord(head: [3])
        record.response?.body.length = 1200
        record.timings.ended = Timestamp(microseconds: 12_000)
        record.outcome = outcome
        return record
    }

    private func flow(_ treatment: Treatment, _ outcome: Outcome.Kind) -> FlowRecord {
        var record = FlowRecord(
            id: FlowID(rawValue: 7),
            opened: Timestamp(seconds: 0),
            client: "127.0.0.1:5",
            listener: "127.0.0.1:6"
        )
        record.closed = Timestamp(seconds: 1)
        record.authority = "example.test:443"
        record.treatment = treatment
        record.outcome = Outcome(outcome, detail: "so it was")
        return record
    }

    @Test("a finished exchange is printed without control characters")
    func exchangeLine() throws {
        #expect(TrafficEvent(.exchange(try exchange(nil))) == nil)
        let event = try #require(TrafficEvent(.exchange(try exchange(.completed))))
        let line = TrafficLine(style: .plain, isVerbose: false).line(event, width: nil)
        #expect(line.hasSuffix(#"GET      200  https://example.test/a\u{1b}  1.2 KB  12 ms"#), "\(line)")
    }

    @Test("a line for machines is one JSON object")
    func exchangeJSON() throws {
        let event = try #require(TrafficEvent(.exchange(try exchange(.failed("no route")))))
        let expected =
            #"{"cause":"no route","detail":"no route","flow":1,"id":2,"method":"GET","milliseconds":12,"notes":[],"#
            + #""outcome":"failed","requestBytes":0,"responseBytes":1200,"standing":"broken","started":"1970-01-01T00:00:00.000Z","#
            + #""status":200,"type":"exchange","url":"https://example.test/a\u001b"}"#
        #expect(TrafficJSON.text(event) == expected)
    }

    @Test("failed and relayed flows are printed; other flows only by their exchanges")
    func flowLine() throws {
        #expect(TrafficEvent(.flow(flow(.intercepted, .completed))) == nil)
        let failed = try #require(TrafficEvent(.flow(flow(.intercepted, .dialFailed))))
        let line = TrafficLine(style: .plain, isVerbose: false)
        #expect(
            line.line(failed, width: nil).hasSuffix(
                "tunnel   FAILED  example.test:443  dialFailed: so it was"
            )
        )
        let relayed = try #require(TrafficEvent(.flow(flow(.passedThrough, .completed))))
        #expect(line.line(relayed, width: nil).contains("RELAYED"))
        let stopped = try #require(TrafficEvent(.flow(flow(.passedThrough, .stopped))))
        #expect(line.line(stopped, width: nil).contains("STOPPED"))
    }

    @Test("traffic without a server name is named by its client")
    func noServer() throws {
        var record = flow(.intercepted, .handshakeFailed)
        record.authority = nil
        let event = try #require(TrafficEvent(.flow(record)))
        let line = TrafficLine(style: .plain, isVerbose: false).line(event, width: nil)
        #expect(line.contains("  from 127.0.0.1:5  "), "\(line)")
    }

    @Test("a failed handshake is printed with its cause")
    func handshakeLine() throws {
        var record = flow(.intercepted, .handshakeFailed)
        var handshake = HandshakeRecord(peer: .client, started: record.opened, duration: .milliseconds(3))
        handshake.failure = HandshakeFailure(
            .looksPinned,
            isHint: true,
            endedBy: .client,
            detail: "It closed."
        )
        record.clientHandshake = handshake
        let event = try #require(TrafficEvent(.flow(record)))
        let line = TrafficLine(style: .plain, isVerbose: false).line(event, width: nil)
        #expect(
            line.hasSuffix(
                "TLS with the client: probably looksPinned: It closed. (docs/TROUBLESHOOTING.md#the-tls-handshake-fails)"
            )
        )
        #expect(TrafficJSON.text(event).contains(#""cause":"looksPinned""#))
    }

    @Test("the summary counts and names failures")
    func summary() throws {
        let summary = TrafficSummary()
        summary.note(.exchange(try exchange(.completed)))
        for _ in 1...2 { summary.note(.flow(flow(.intercepted, .dialFailed))) }
        for outcome in [Outcome.Kind.completed, .stopped] {
            summary.note(.flow(flow(.passedThrough, outcome)))
        }
        #expect(
            summary.lines(connections: 4, unreached: []) == [
                "1 exchange with 1 host; 1 tunnel relayed; 1 tunnel stopped",
                "failed 2 times: example.test:443: dialFailed: so it was",
            ]
        )
    }

    @Test("an answer of the proxy's own counts as failed only if it is an error")
    func ownAnswers() throws {
        let summary = TrafficSummary()
        var page = try exchange(.answeredByProxy("the onboarding page"))
        summary.note(.exchange(page))
        #expect(summary.lines(connections: 1, unreached: []) == ["1 exchange with 1 host"])
        page.status = 502
        summary.note(.exchange(page))
        #expect(
            summary.lines(connections: 1, unreached: [])
                == ["2 exchanges with 1 host, 1 of them failed"]
        )
    }

    @Test("a failure that a rule answered with is called the answer of a rule")
    func ruledAnswers() throws {
        let summary = TrafficSummary()
        var mocked = try exchange(.answeredByProxy("the rule “rule 1” answered with 503"))
        mocked.status = 503
        mocked.rules = [RuleHit(rule: "rule 1", kind: "mock", effect: "answered with 503")]
        summary.note(.exchange(mocked))
        #expect(
            summary.lines(connections: 1, unreached: [])
                == ["1 exchange with 1 host, 1 of them failed, 1 of them answered by a rule"]
        )
    }

    @Test("the summary tells pins from distrust, and names no port of a client")
    func pins() {
        let summary = TrafficSummary()
        #expect(
            summary.lines(connections: 1, unreached: []).last
                == "1 connection reached the proxy, and no request came by it"
        )
        var record = flow(.intercepted, .handshakeFailed)
        record.authority = nil
        record.clientHandshake = Self.refusal(.looksPinned, isHint: true)
        summary.note(.flow(record))
        let lines = summary.lines(connections: 1, unreached: [])
        #expect(lines.contains { $0.contains("tls.passthrough") && !$0.contains("trust the CA") }, "\(lines)")
        #expect(lines.contains { $0.hasPrefix("failed: a connection that named no server: ") }, "\(lines)")
    }

    /// A handshake that the client ended.
    private static func refusal(_ cause: HandshakeFailure.Cause, isHint: Bool) -> HandshakeRecord {
        var handshake = HandshakeRecord(peer: .client, started: Timestamp(microseconds: 0), duration: .zero)
        handshake.failure = HandshakeFailure(
            cause,
            isHint: isHint,
            endedBy: .client,
            detail: "The client closed the connection."
        )
        return handshake
    }

    @Test("the summary gives the remedy for refused certificates of servers once")
    func refusedServers() {
        let summary = TrafficSummary()
        for authority in ["b.test:443", "a.test:443"] {
            var record = flow(.intercepted, .handshakeFailed)
            record.authority = authority
            var handshake = HandshakeRecord(peer: .server, started: record.opened, duration: .zero)
            handshake.failure = HandshakeFailure(
                .serverCertificateRefused,
                isHint: false,
                endedBy: nil,
                detail: "It is signed by its own key."
            )
            record.serverHandshake = handshake
            summary.note(.flow(record))
        }
        let lines = summary.lines(connections: 2, unreached: [])
        let remedies = lines.filter { $0.contains("\n  to fix it: --upstream-ca FILE") }
        #expect(remedies.count == 1 && remedies.first?.hasPrefix("failed: a.test:443: ") == true, "\(lines)")
    }

    @Test("the summary says that nothing came, or that the program refused every certificate")
    func nothing() throws {
        let summary = TrafficSummary()
        #expect(summary.lines(connections: 0, unreached: ["nobody came"]) == ["nobody came"])
        #expect(summary.lines(connections: 2, unreached: []).last?.hasPrefix("2 connections reached") == true)
        var record = flow(.intercepted, .handshakeFailed)
        record.clientHandshake = Self.refusal(.authorityNotTrusted, isHint: false)
        summary.note(.flow(record))
        let lines = summary.lines(connections: 1, unreached: [])
        #expect(lines.contains { $0.contains("refused Pinhole's certificate each time") }, "\(lines)")
        #expect(lines.contains { $0.contains("pinhole run --isolate") })
        let isolated = summary.lines(connections: 1, unreached: [], isIsolated: true)
        #expect(!isolated.contains { $0.contains("pinhole run --isolate") }, "\(isolated)")
        // One that went otherwise makes the CA no reason for the rest.
        #expect(!summary.lines(connections: 2, unreached: []).contains { $0.contains("each time") })
    }
}

extension TrafficLine {
    /// The line for one event, without its end.
    func line(_ event: TrafficEvent, width: Int?) -> String {
        String(lines([event], width: width).dropLast())
    }
}

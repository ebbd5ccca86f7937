import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeLab

@Suite("The client's decision as seen from a connection")
struct WireClassifierTests {
    /// A row of the rules in docs/LAB.md.
    struct Row: Sendable, CustomTestStringConvertible {
        let rule: String
        let name: String
        let decision: Observation.Decision
        let flow: FlowRecord
        var requests: [ExchangeRecord] = []

        var testDescription: String { "\(rule) \(name)" }
    }

    private static func flow(_ change: (inout FlowRecord) -> Void = { _ in }) -> FlowRecord {
        let now = Timestamp(seconds: 1)
        var flow = FlowRecord(id: FlowID(rawValue: 1), opened: now, client: "c:1", listener: "l:1")
        flow.treatment = .intercepted
        flow.closed = now
        flow.outcome = Outcome(.completed, detail: "")
        change(&flow)
        return flow
    }

    /// A handshake of 20 ms.
    private static func shaken(
        _ failure: HandshakeFailure? = nil,
        _ end: ClientEnd? = nil,
        _ change: (inout FlowRecord) -> Void = { _ in }
    ) -> FlowRecord {
        flow { flow in
            var handshake = HandshakeRecord(peer: .client, started: flow.opened, duration: .milliseconds(20))
            handshake.failure = failure
            flow.clientHandshake = handshake
            flow.clientEnd = end
            change(&flow)
        }
    }

    private static func alert(_ code: UInt8) -> FlowRecord {
        shaken(
            HandshakeFailure(
                .certificateRefused,
                isHint: false,
                endedBy: .client,
                alert: Alert(code: code),
                detail: ""
            )
        )
    }

    private static func failed(_ cause: HandshakeFailure.Cause) -> FlowRecord {
        shaken(HandshakeFailure(cause, isHint: true, endedBy: .client, detail: "detail"))
    }

    private static func ended(
        _ kind: ClientEnd.Kind,
        after elapsed: Duration,
        alert: UInt8? = nil,
        sentData: Bool = false
    ) -> FlowRecord {
        let end = ClientEnd(
            kind,
            alert: alert.map { Alert(code: $0) },
            elapsed: elapsed,
            sentData: sentData
        )
        return shaken(nil, end)
    }

    private static let request = ExchangeRecord(
        id: ExchangeID(rawValue: 1),
        flow: FlowID(rawValue: 1),
        scheme: .https,
        authority: Authority(host: .name("api.pinned.test"), port: 443),
        method: "GET",
        path: "/account",
        request: MessageRecord(head: []),
        timings: ExchangeTimings(started: Timestamp(seconds: 1))
    )

    static let rows: [Row] = [
        Row(rule: "1", name: "not-tls", decision: .undecided, flow: flow { $0.treatment = .opaque }),
        Row(
            rule: "1",
            name: "plain-http",
            decision: .undecided,
            flow: flow { $0.treatment = .plain },
            requests: [request]
        ),
        Row(rule: "1", name: "not-tls", decision: .undecided, flow: failed(.notTLS)),
        Row(rule: "1", name: "no-common-version", decision: .undecided, flow: failed(.noCommonVersion)),
        Row(rule: "1", name: "no-cipher", decision: .undecided, flow: failed(.noCommonCipher)),
        Row(rule: "1", name: "no-common-group", decision: .undecided, flow: failed(.noCommonGroup)),
        Row(rule: "1", name: "no-common-protocol", decision: .undecided, flow: failed(.noCommonProtocol)),
        Row(rule: "1", name: "client-aborted", decision: .undecided, flow: flow()),
        Row(rule: "1", name: "silent", decision: .undecided, flow: flow { $0.outcome = nil }),
        Row(
            rule: "1",
            name: "server-unreachable",
            decision: .undecided,
            flow: flow { $0.outcome = Outcome(.dialFailed, detail: "refused") }
        ),
        Row(rule: "2a", name: "rejected(bad_certificate)", decision: .rejected, flow: alert(42)),
        Row(rule: "2a", name: "rejected(unsupported_certificate)", decision: .rejected, flow: alert(43)),
        Row(rule: "2a", name: "rejected(certificate_revoked)", decision: .rejected, flow: alert(44)),
        Row(rule: "2a", name: "rejected(certificate_expired)", decision: .rejected, flow: alert(45)),
        Row(rule: "2a", name: "rejected(certificate_unknown)", decision: .rejected, flow: alert(46)),
        Row(rule: "2a", name: "rejected(unknown_ca)", decision: .rejected, flow: alert(48)),
        Row(rule: "2a", name: "rejected(access_denied)", decision: .rejected, flow: alert(49)),
        Row(rule: "2a", name: "rejected(decrypt_error)", decision: .rejected, flow: alert(51)),
        Row(
            rule: "2a",
            name: "rejected(bad_certificate_status_response)",
            decision: .rejected,
            flow: alert(113)
        ),
        Row(rule: "2b", name: "rejected-likely(handshake_failure)", decision: .rejected, flow: alert(40)),
        Row(rule: "2b", name: "rejected-likely(internal_error)", decision: .rejected, flow: alert(80)),
        Row(rule: "2b", name: "no-common-version", decision: .undecided, flow: alert(70)),
        Row(rule: "2b", name: "no-cipher", decision: .undecided, flow: alert(71)),
        Row(rule: "2b", name: "no-common-protocol", decision: .undecided, flow: alert(120)),
        Row(rule: "2c", name: "client-aborted", decision: .undecided, flow: alert(90)),
        Row(rule: "2c", name: "client-aborted", decision: .undecided, flow: alert(0)),
        Row(
            rule: "2d",
            name: "rejected-likely(closed in handshake)",
            decision: .rejected,
            flow: failed(.closed)
        ),
        Row(
            rule: "2d",
            name: "rejected-likely(closed in handshake)",
            decision: .rejected,
            flow: failed(.reset)
        ),
        Row(rule: "2", name: "silent", decision: .undecided, flow: failed(.timedOut)),
        Row(
            rule: "3a",
            name: "accepted",
            decision: .accepted,
            flow: ended(.closeNotify, after: .milliseconds(1), sentData: true),
            requests: [request]
        ),
        Row(
            rule: "3a",
            name: "accepted",
            decision: .accepted,
            flow: ended(.reset, after: .milliseconds(1), sentData: true)
        ),
        Row(
            rule: "3a",
            name: "accepted",
            decision: .accepted,
            flow: shaken { $0.closed = nil },
            requests: [request]
        ),
        Row(
            rule: "3a",
            name: "accepted",
            decision: .accepted,
            flow: shaken { $0.outcome = Outcome(.refused, fault: .client, detail: "the bytes are no HTTP") }
        ),
        Row(
            rule: "3a",
            name: "accepted(resumed)",
            decision: .accepted,
            flow: shaken { $0.clientHandshake?.isResumed = true },
            requests: [request]
        ),
        Row(
            rule: "3b",
            name: "rejected-after-handshake",
            decision: .rejected,
            flow: ended(.closeNotify, after: .milliseconds(3))
        ),
        Row(
            rule: "3b",
            name: "rejected-after-handshake",
            decision: .rejected,
            flow: ended(.closed, after: .milliseconds(100))
        ),
        Row(
            rule: "3b",
            name: "rejected-after-handshake",
            decision: .rejected,
            flow: ended(.reset, after: .milliseconds(250))
        ),
        Row(
            rule: "3c",
            name: "rejected(certificate_unknown)",
            decision: .rejected,
            flow: ended(.alert, after: .milliseconds(900), alert: 46)
        ),
        Row(
            rule: "3c",
            name: "tls-error",
            decision: .undecided,
            flow: ended(.alert, after: .milliseconds(1), alert: 10)
        ),
        Row(
            rule: "3d",
            name: "no-request",
            decision: .undecided,
            flow: ended(.closeNotify, after: .milliseconds(251))
        ),
        Row(rule: "3e", name: "idle", decision: .undecided, flow: shaken { $0.closed = nil }),
    ]

    @Test("a row for each rule", arguments: rows)
    func rule(_ row: Row) {
        let signal = WireClassifier.signal(of: row.flow, requests: row.requests)
        #expect(signal.name == row.name)
        #expect(signal.decision == row.decision)
        #expect(signal.sentence.hasSuffix("."))
    }

    @Test(
        "other alerts are TLS errors, and no verdict",
        arguments: [47, 50, 86, 109, 110, 112, 116, 121] as [UInt8]
    )
    func otherAlerts(_ code: UInt8) {
        let signal = WireClassifier.signal(of: Self.alert(code), requests: [])
        #expect(signal.name == "tls-error" && signal.decision == .undecided)
        #expect(signal.sentence.contains("(\(code))"))
        #expect(signal.sentence.contains("Encrypted Client Hello") == (code == 121))
    }

    @Test("says whether the TLS library or the server of a scenario lacks the client's key exchanges")
    func noCommonGroup() {
        var flow = Self.failed(.noCommonGroup)
        func sentence(_ groups: [UInt16]) -> String {
            flow.clientHello = ClientHelloRecord()
            flow.clientHello?.groups = groups
            return WireClassifier.signal(of: flow, requests: []).sentence
        }
        #expect(sentence([29]) == "The client offers no key exchange that the server of the scenario has.")
        #expect(sentence([0x0a0a]) == "Detail.")
        // A library with this group stages L23.
        let isKnown = Scenario.catalogue.contains { $0.id == "L23" }
        #expect((sentence([0x0a0a, 4588]) == "Detail.") != isKnown)
    }

    @Test("one accepted connection decides among several")
    func anyAccepted() {
        let signals: [WireSignal] = [
            .rejected(Alert(code: 48), isAfterHandshake: false), .accepted(request: nil, isResumed: false),
            .idle,
        ]
        #expect(WireClassifier.decision(of: signals)?.decision == .accepted)
    }

    @Test("a client refused only if each of its connections did, and the surest reason is reported")
    func allRejected() throws {
        let alert = WireSignal.rejected(Alert(code: 42), isAfterHandshake: false)
        let closed = WireSignal.closedInHandshake(isReset: false)
        let all = try #require(WireClassifier.decision(of: [closed, alert, closed]))
        #expect(all.decision == .rejected && all.decisive == alert)
        let mixed = try #require(WireClassifier.decision(of: [alert, .idle]))
        #expect(mixed.decision == .undecided && mixed.decisive == .idle)
        #expect(WireClassifier.decision(of: []) == nil)
    }

    @Test("a connection that the client dropped before it saw a certificate casts no doubt on a refusal")
    func droppedSpare() throws {
        let alert = WireSignal.rejected(Alert(code: 46), isAfterHandshake: false)
        let spared = try #require(WireClassifier.decision(of: [alert, .aborted(nil)]))
        #expect(spared.decision == .rejected && spared.decisive == alert)
        #expect(WireClassifier.decision(of: [.aborted(nil), .idle])?.decision == .undecided)
        #expect(WireClassifier.decision(of: [.aborted(nil)])?.decision == .undecided)
    }
}

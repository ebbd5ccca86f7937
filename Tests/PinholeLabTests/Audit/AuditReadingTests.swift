import PinholeModel
import Testing

@testable import PinholeLab

@Suite("How an audit reads a scenario")
struct AuditReadingTests {
    private let host = Host.name("api.pinned.test")
    private let alert = WireSignal.rejected(Alert(code: 48), isAfterHandshake: false)

    private func decision(_ signals: [WireSignal], _ reading: AuditReading) -> Observation.Decision? {
        WireClassifier.decision(of: signals, by: reading)?.decision
    }

    @Test("if no handshake can succeed, every end by the client is a refusal")
    func handshake() {
        for signal in [
            WireSignal.nothingInCommon(.noCommonVersion, "none"), .tlsError("illegal"), .aborted(nil), alert,
        ] {
            #expect(decision([signal], .handshake) == .rejected)
            #expect(decision([signal, .accepted(request: nil, isResumed: false)], .handshake) == .accepted)
        }
        for signal in [
            WireSignal.silent, .idle, .unreachable("down"), .notTLS, .noRequest(after: .seconds(1)),
        ] {
            #expect(decision([signal], .handshake) == .undecided)
        }
        #expect(decision([.tlsError("illegal")], .signals) == .undecided)
    }

    @Test("a client that retries with less has accepted, and a client that gives up has refused")
    func attempts() {
        func decision(_ attempts: String...) -> Observation.Decision? {
            let signals = AuditReading.attempts.signals(of: WireObservation(), host: host, attempts: attempts)
            return self.decision(signals, .attempts)
        }
        #expect(decision("ClientHello 304") == .rejected)
        #expect(decision("ClientHello 303", "ClientHello 304", "ClientHello 303") == .rejected)
        #expect(decision("ClientHello 304", "ClientHello 303") == .accepted)
        #expect(decision("ClientHello 304", "something else than TLS") == .accepted)
        #expect(decision() == nil)
    }

    private func flow(_ id: Int64, _ treatment: Treatment, to host: String) -> FlowRecord {
        let now = Timestamp(seconds: 1)
        var flow = FlowRecord(id: FlowID(rawValue: id), opened: now, client: "c:1", listener: "l:1")
        flow.treatment = treatment
        flow.authority = treatment == .plain ? nil : "\(host):443"
        flow.closed = now
        flow.clientHandshake = HandshakeRecord(peer: .client, started: now, duration: .milliseconds(1))
        return flow
    }

    private func request(_ flow: Int64, _ scheme: Scheme) -> ExchangeRecord {
        ExchangeRecord(
            id: ExchangeID(rawValue: flow),
            flow: FlowID(rawValue: flow),
            scheme: scheme,
            authority: Authority(host: host, port: 443),
            method: "GET",
            path: "/account",
            request: MessageRecord(head: []),
            timings: ExchangeTimings(started: Timestamp(seconds: 1))
        )
    }

    private func followed(_ flows: [FlowRecord], _ requests: [ExchangeRecord]) -> Observation.Decision? {
        var wire = WireObservation()
        wire.flows = flows
        wire.exchanges = requests
        return decision(AuditReading.redirect.signals(of: wire, host: host, attempts: []), .redirect)
    }

    @Test("a client that does not follow a redirect has refused; a client that follows has accepted")
    func redirect() {
        let own = flow(1, .intercepted, to: "api.pinned.test")
        let other = flow(2, .intercepted, to: "other.test")
        let plain = flow(3, .plain, to: "api.pinned.test")
        #expect(followed([own], [request(1, .https)]) == .rejected)
        #expect(followed([own, other], [request(1, .https), request(2, .https)]) == .accepted)
        #expect(followed([own, plain], [request(1, .https), request(3, .http)]) == .accepted)
        var refused = other
        refused.clientEnd = ClientEnd(.closed, elapsed: .zero, sentData: false)
        #expect(followed([own, refused], [request(1, .https)]) == .rejected)
    }

    @Test("a client that refuses the honest server did not reach the redirect")
    func refusedBefore() {
        var own = flow(1, .intercepted, to: "api.pinned.test")
        own.clientEnd = ClientEnd(.closed, elapsed: .zero, sentData: false)
        #expect(followed([own], []) == .undecided)
        #expect(followed([], []) == nil)
    }
}

import PinholeModel
import Testing

@Suite("Causes and remedies")
struct FailureCauseTests {
    private let opened = Timestamp(seconds: 1_700_000_000)

    private func exchange(_ outcome: ExchangeOutcome, status: Int? = nil) throws -> ExchangeRecord {
        var record = ExchangeRecord(
            id: ExchangeID(rawValue: 1),
            flow: FlowID(rawValue: 1),
            scheme: .https,
            authority: try Authority("shop.test:8443"),
            method: "GET",
            path: "/",
            request: MessageRecord(head: []),
            timings: ExchangeTimings(started: opened)
        )
        record.outcome = outcome
        record.status = status
        return record
    }

    private func flow(_ outcome: Outcome.Kind, _ failure: HandshakeFailure? = nil) -> FlowRecord {
        var record = FlowRecord(id: FlowID(rawValue: 1), opened: opened, client: "", listener: "")
        record.outcome = Outcome(outcome, detail: "the reason")
        if let failure {
            var handshake = HandshakeRecord(peer: .client, started: opened, duration: .zero)
            handshake.failure = failure
            record.clientHandshake = handshake
        }
        return record
    }

    @Test("the cause of a broken exchange leaves the host out and shortens the title")
    func brokenExchange() throws {
        for (detail, cause) in [
            ("The server cannot be reached: shop.test:8443: connection refused", "connection refused"),
            ("The server's certificate was refused: shop.test:8443: expired", "certificate refused: expired"),
            (
                "The server gave no usable response: shop.test:8443: empty",
                "The server gave no usable response: empty"
            ),
        ] {
            #expect(try exchange(.answeredByProxy(detail), status: 502).cause == cause)
        }
        #expect(try exchange(.failed("shop.test:443: reset")).cause == "shop.test:443: reset", "another port")
    }

    @Test("an error inside of a protocol is a cause; a status of HTTP and a success have none")
    func failedExchange() throws {
        var call = try exchange(.completed, status: 200)
        call.protocolStatus = .grpc(13)
        #expect(call.cause == "gRPC status 13 INTERNAL")
        #expect(try exchange(.completed, status: 404).cause == nil)
        #expect(try exchange(.completed, status: 200).cause == nil)
    }

    @Test("the cause of a failed handshake names the side, the cause and the alert, and has a remedy")
    func handshake() {
        let alert = Alert(code: 48)
        let refused = flow(
            .handshakeFailed,
            HandshakeFailure(.authorityNotTrusted, alert: alert, detail: "it ended")
        )
        #expect(refused.cause == "TLS with the client: CA not trusted, alert unknown_ca (48)")
        #expect(refused.remedy?.hasPrefix("Let the client trust Pinhole's CA") == true)
        let pinned = flow(.handshakeFailed, HandshakeFailure(.looksPinned, isHint: true, detail: "it closed"))
        #expect(pinned.cause == "TLS with the client: probably pinned")
    }

    @Test("a tunnel that failed before a handshake has its reason as the cause; a relayed tunnel has none")
    func tunnel() {
        #expect(flow(.dialFailed).cause == "the reason" && flow(.dialFailed).remedy != nil)
        #expect(flow(.completed).cause == nil && flow(.completed).remedy == nil)
    }
}

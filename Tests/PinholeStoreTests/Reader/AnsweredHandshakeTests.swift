import PinholeFilter
import PinholeModel
import Testing

@testable import PinholeStore

@Suite("Failed handshakes that an exchange shows")
struct AnsweredHandshakeTests {
    /// Returns a closed flow whose handshake with the server failed.
    private static func refused(
        _ id: Int64,
        exchanges: Int,
        _ change: (inout FlowRecord) -> Void = { _ in }
    ) -> FlowRecord {
        var flow = FlowRecord.sample(id)
        var handshake = HandshakeRecord(peer: .server, started: epoch, duration: .microseconds(900))
        handshake.failure = HandshakeFailure(
            .serverCertificateRefused,
            isHint: false,
            endedBy: nil,
            alert: nil,
            detail: "The server's certificate was refused."
        )
        flow.authority = "refused.test:443"
        flow.treatment = .intercepted
        flow.serverHandshake = handshake
        flow.exchanges = exchanges
        change(&flow)
        return flow
    }

    private static func answered(_ id: Int64, flow: Int64) throws -> FlowEvent {
        var exchange = try ExchangeRecord.sample(id, authority: "refused.test:443")
        exchange.flow = FlowID(rawValue: flow)
        exchange.status = 502
        exchange.outcome = .answeredByProxy("The server's certificate was refused.")
        return .exchange(exchange)
    }

    @Test("the flag selects the flow of an answered request, and no flow that shows something of its own")
    func selection() throws {
        let (scratch, store) = try recorded([
            .flow(Self.refused(1, exchanges: 1)), try Self.answered(2, flow: 1),
            // The client sent no request, so the flow alone tells the failure.
            .flow(Self.refused(3, exchanges: 0)),
            .flow(.failed(4)),
            .flow(
                Self.refused(5, exchanges: 1) { flow in
                    flow.clientHandshake = FlowRecord.failed(5).clientHandshake
                }
            ),
            .flow(Self.refused(6, exchanges: 1) { $0.treatment = .passedThrough }),
            .flow(
                Self.refused(7, exchanges: 1) { flow in
                    flow.closed = nil
                    flow.outcome = nil
                }
            ),
        ])
        defer { store.close() }
        let reader = try CaptureReader(path: scratch.capture)
        func found(_ filter: String) throws -> [Int64] {
            let filter = TrafficFilter(try Filter(filter))
            let ids = try reader.traffic(filter, limit: 9).map(\.id)
            var walked: [Int64] = []
            _ = try reader.trafficIDs(filter) { walked.append($0) }
            #expect(walked == ids.reversed())
            // Each row decides the filter by itself as SQL does.
            let among = try reader.trafficIDs(filter, among: Array(1...7))
            #expect(among == Set(ids))
            return ids
        }
        #expect(try found("") == [6, 5, 4, 3, 2, 1])
        #expect(try found("tls.answered") == [1])
        #expect(try found("!tls.answered") == [6, 5, 4, 3, 2])
        #expect(try found("tls.failed & !tls.answered") == [6, 5, 4, 3, 2])
        #expect(try found("tls.answered | status == 502") == [2, 1])
        #expect(try found("tls.answered & headers contains x") == [])
        for id in Int64(1)...7 {
            let flow = try #require(try reader.flow(FlowID(rawValue: id)) ?? (id == 2 ? .sample(2) : nil))
            #expect(flow.isAnsweredFailure == (id == 1), "flow \(id)")
        }
    }

    @Test("hosts count the failure once, with the exchange")
    func hosts() throws {
        let (scratch, store) = try recorded([
            .flow(Self.refused(1, exchanges: 1)), try Self.answered(2, flow: 1),
            .flow(Self.refused(3, exchanges: 0)),
        ])
        defer { store.close() }
        let reader = try CaptureReader(path: scratch.capture)
        for tallies in [try reader.hosts(TrafficFilter()), try TrafficIndex().hosts(reader)] {
            let tally = try #require(tallies?.first)
            #expect(tally.exchanges == 1 && tally.failed == 2)
        }
        let filter = TrafficFilter(try Filter("tls.answered"))
        #expect(try reader.hosts(filter)?.map(\.failed) == [0])
    }
}

import PinholeFormats
import PinholeModel
import Testing

@testable import PinholeCommand

@Suite("FlowTable")
struct FlowTableTests {
    private static let now = Timestamp(seconds: 1_700_000_000)

    private func flow(
        _ id: Int64,
        _ opened: Timestamp,
        to authority: String? = "example.test:443"
    ) -> TrafficEvent {
        var record = FlowRecord(
            id: FlowID(rawValue: id),
            opened: opened,
            client: "127.0.0.1:5",
            listener: "127.0.0.1:6"
        )
        record.authority = authority
        record.treatment = .passedThrough
        record.outcome = Outcome(.completed, detail: "so it was")
        return .flow(record)
    }

    private func lines(_ events: TrafficEvent...) -> [String] {
        FlowTable(style: .plain, width: 120, now: Self.now).lines(events)
    }

    @Test("entries of today have no date, and the list gets no wider")
    func today() {
        let lines = lines(flow(1, Self.now))
        #expect(lines.first?.hasPrefix("ID  TIME      METHOD") == true, "\(lines)")
        #expect(lines.last?.contains(#/^ 1  \d\d:\d\d:\d\d  tunnel  RELAYED/#) == true, "\(lines)")
    }

    @Test("entries of another day have their date, and the columns stay aligned")
    func otherDays() {
        let lines = lines(flow(1, Timestamp(seconds: 1_600_000_000)), flow(2, Self.now))
        #expect(lines[0].hasPrefix("ID  TIME                 METHOD"), "\(lines)")
        #expect(lines[1].contains(/^ 1  2020-09-1[34] \d\d:\d\d:\d\d  tunnel  RELAYED/), "\(lines)")
        #expect(lines[2].contains(/^ 2             \d\d:\d\d:\d\d  tunnel  RELAYED/), "\(lines)")
        #expect(lines.allSatisfy { $0.count <= 120 }, "\(lines)")
    }

    @Test("traffic without a server name is named by its client")
    func noServer() {
        let lines = lines(flow(1, Self.now, to: nil))
        #expect(lines.last?.contains("  from 127.0.0.1:5") == true, "\(lines)")
    }

    @Test("operations of GraphQL and methods of gRPC are shown beside the URL")
    func operations() throws {
        var query = try ReplayRecords.exchange("POST /graphql HTTP/1.1\r\n\r\n")
        query.graphQL = "mutation Pay"
        var call = try ReplayRecords.exchange("POST /shop.Cart/AddItem HTTP/2\r\n\r\n")
        call.protocolStatus = .grpc(0)
        let lines = lines(.exchange(query), .exchange(call))
        #expect(lines[1].contains("/graphql") && lines[1].contains("mutation Pay"), "\(lines)")
        #expect(lines[2].contains("AddItem  ") || lines[2].hasSuffix("AddItem"), "\(lines)")
        let line = TrafficLine(style: .plain, isVerbose: false).lines([.exchange(call)], width: nil)
        #expect(line.contains("/shop.Cart/AddItem") && line.contains("  AddItem"), "\(line)")
    }

    @Test("every column has a heading, and a row without a status shows its outcome")
    func headings() throws {
        let lines = lines(flow(1, Self.now))
        #expect(
            lines[0].split(separator: " ") == ["ID", "TIME", "METHOD", "STATUS", "SIZE", "DURATION", "URL"],
            "\(lines)"
        )
    }

    @Test("a cause is whole, below its flow where there is no room", arguments: [80, 120, 200])
    func causes(width: Int) throws {
        guard case .flow(var record) = flow(1, Self.now) else { return }
        var handshake = HandshakeRecord(peer: .client, started: record.opened, duration: .milliseconds(3))
        handshake.failure = HandshakeFailure(
            .authorityNotTrusted,
            isHint: false,
            endedBy: .client,
            detail: "The client ended the handshake with unknown_ca (48): it does not trust Pinhole's CA."
        )
        record.clientHandshake = handshake
        record.outcome = Outcome(.handshakeFailed, detail: "so it was")
        let table = FlowTable(style: .plain, width: width, now: Self.now)
        let lines = table.lines([.flow(record)])
        #expect(lines.allSatisfy { $0.count <= width }, "\(lines)")
        #expect(lines[1].contains("  TLS     FAILED "), "\(lines)")
        let words = lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
        #expect(words.contains(record.remark), "\(lines)")
    }

    @Test("a long URL loses its middle on a terminal, and nothing in a pipe")
    func longURLs() throws {
        let path = "/search?q=" + String(repeating: "a", count: 5000) + "&page=7"
        let record = ExchangeRecord(
            id: ExchangeID(rawValue: 2),
            flow: FlowID(rawValue: 1),
            scheme: .https,
            authority: try Authority("example.test:443"),
            method: "GET",
            path: path,
            request: MessageRecord(head: []),
            timings: ExchangeTimings(started: Self.now)
        )
        let shown = FlowTable(style: .plain, width: 80, now: Self.now).lines([.exchange(record)])
        #expect(shown.count == 2 && shown[1].count == 80, "\(shown)")
        #expect(shown[1].contains("  https://example.t") && shown[1].hasSuffix("&page=7"), "\(shown)")
        let piped = FlowTable(style: .plain, width: nil, now: Self.now).lines([.exchange(record)])
        #expect(piped.count == 1 && piped[0].hasSuffix(record.url))
        let line = TrafficLine(style: .plain, isVerbose: false)
        let told = line.line(.exchange(record), width: 80)
        #expect(told.count <= 80 && told.contains("…") && told.contains("&page=7"), "\(told)")
        #expect(line.line(.exchange(record), width: nil).contains(record.url))
    }
}

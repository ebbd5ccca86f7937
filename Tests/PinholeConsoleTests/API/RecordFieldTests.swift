import PinholeFilter
import PinholeModel
import PinholeStore
import Testing

@testable import PinholeConsole
@testable import PinholeFormats

@Suite("Fields of records")
struct RecordFieldTests {
    private static let ja4 = "t13d1516h2_8daaf6152771_02713d6af862"

    /// An exchange with the fields, its flow, and a flow that was relayed.
    private static func stage() throws -> ConsoleStage {
        var flow = FlowRecord.sample(1)
        flow.clientHello = ClientHelloRecord()
        flow.clientHello?.ja4 = ja4
        flow.clientHandshake = HandshakeRecord(peer: .client, started: flow.opened, duration: .zero)
        flow.clientHandshake?.group = "X25519MLKEM768"
        var relayed = FlowRecord.sample(4, treatment: .passedThrough)
        relayed.clientHello = flow.clientHello
        var answered = try ExchangeRecord.sample(2)
        answered.responseServer = "nginx"
        return try ConsoleStage([
            .flow(flow), .exchange(answered), .exchange(try .sample(3)), .flow(relayed),
        ])
    }

    @Test(
        "filters find the server's software, the client's fingerprint and the group",
        arguments: [
            ("response.server == NGINX", [2]), ("response.server != nginx & http", [3]),
            ("tls.ja4 startswith t13d1516h2", [4, 3, 2]), ("tls.ja4 != \(ja4)", []),
            ("tls.group contains mlkem", [3, 2]), ("tls.group != x25519 & !http", [4]),
        ] as [(String, [Int64])]
    )
    func filters(filter: String, expected: [Int64]) async throws {
        let stage = try Self.stage()
        let reader = try CaptureReader(path: stage.api.subject.capture)
        #expect(try reader.traffic(TrafficFilter(try Filter(filter)), limit: 9).map(\.id) == expected)
        let plan = FilterPlan.exchanges(try Filter(filter))
        #expect(plan.rest == nil, "SQL decides it")
    }

    @Test("an item of the list has the fields of its flow, and so has a line of CSV")
    func shown() async throws {
        let stage = try Self.stage()
        let page = try await stage.ask("GET", "/api/traffic?filter=response.server+~+*").json()
        let item = try #require((page["items"] as? [[String: Any]])?.first)
        #expect(item["responseServer"] as? String == "nginx" && item["ja4"] as? String == Self.ja4)
        #expect(item["tlsGroup"] as? String == "X25519MLKEM768" && item["client"] as? String != nil)
        let rows = try CaptureReader(path: stage.api.subject.capture).traffic(limit: 9)
        let values = rows.map { row in
            Dictionary(uniqueKeysWithValues: zip(TrafficColumns.names, TrafficColumns.values(of: row)))
        }
        #expect(values.map { $0["id"] } == ["4", "3", "2"])
        #expect(values.map { $0["ja4"] } == [Self.ja4, Self.ja4, Self.ja4])
        #expect(values.map { $0["tlsGroup"] } == ["", "X25519MLKEM768", "X25519MLKEM768"])
        #expect(values.map { $0["responseServer"] } == ["", "", "nginx"])
    }

    @Test("the columns of CSV keep their order")
    func order() {
        #expect(
            TrafficColumns.names.joined(separator: ",")
                == "id,type,started,method,url,status,requestBytes,responseBytes,milliseconds,outcome,responseServer,graphql,"
                + "contentType,comment,tlsGroup,ja4,clientProcess,proxyUser"
        )
    }

    @Test("no two fields of a table have one name, one column or one member")
    func names() {
        func check<Record>(_ fields: [RecordField<Record>]) {
            for names in [
                fields.map(\.name), fields.compactMap(\.column?.name), fields.compactMap(\.json?.name),
            ] {
                #expect(Set(names).count == names.count, "\(names)")
            }
        }
        check(ExchangeFields.all)
        check(FlowFields.all)
    }
}

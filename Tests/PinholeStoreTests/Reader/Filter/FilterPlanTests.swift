import PinholeFilter
import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeStore

@Suite("Filter plans")
struct FilterPlanTests {
    @Test("finds all matches of a filter, even if SQL answers a part of it", arguments: 0..<6)
    func property(seed: Int) throws {
        let capture = try RandomCapture(seed: UInt64(seed), count: 60)
        let scratch = try ScratchDirectory()
        let store = try CaptureStore.open(.init(path: scratch.capture), now: epoch)
        store.record(capture.events)
        store.close()
        let reader = try CaptureReader(path: scratch.capture)
        var filters = RandomFilter(seed: UInt64(seed))
        var hits = 0
        for _ in 0..<150 {
            let filter = filters.next()
            var judge = FilterJudge(filter)
            let meant = capture.exchanges.filter { entry in
                var facts = entry.facts
                return judge.judge(&facts) == .yes
            }
            let found = try reader.exchanges(ExchangeFilter(filter), order: .oldestFirst, limit: 1000)
            #expect(
                found.map(\.id) == meant.map(\.record.id),
                "\(filter)\n\(FilterPlan.exchanges(filter).sql)"
            )
            let selectedFlows = capture.flows.filter { flow in
                var facts = RecordFacts(exchange: nil, flow: flow)
                return judge.judge(&facts) == .yes
            }
            let flows = try reader.flows(FlowFilter(filter), order: .oldestFirst, limit: 1000)
            #expect(
                flows.map(\.id) == selectedFlows.map(\.id),
                "flows: \(filter)\n\(FilterPlan.flows(filter).sql)"
            )
            if !meant.isEmpty, meant.count < capture.exchanges.count { hits += 1 }
        }
        #expect(hits > 20)
    }

    @Test(
        "SQL decides fields of its columns, and preselects for others",
        arguments: [
            ("status >= 400 & ~m get", "status >= 400 & method matches get", nil),
            ("status >= 400 ~b teapot", "status >= 400", "body matches teapot"),
            ("~u items/\\d", #"url matches "items/\d""#, #"url matches "items/\d""#),
            ("grpc | failed", nil, "grpc | failed"),
            ("(grpc & failed) | ~c 200", "grpc & failed | status == 200", "grpc & failed | status == 200"),
            ("pinned & running", "pinned & running", "pinned"), ("!pinned", nil, "!pinned"),
            ("~src 127", "client matches 127", nil), ("header[x] == a", nil, "header[x] == a"),
            ("", "all", nil),
        ] as [(String, String?, String?)]
    )
    func split(_ text: String, _ answered: String?, _ rest: String?) throws {
        let plan = FilterPlan.exchanges(try Filter(text))
        #expect(plan.answered?.description == answered)
        #expect(plan.rest?.description == rest)
    }

    @Test("fields that flows do not have are not searched")
    func absent() throws {
        #expect(FilterPlan.flows(try Filter("status >= 400")).sql == "0")
        #expect(FilterPlan.flows(try Filter("!(status >= 400)")).sql == "1")
    }

    @Test(
        "numbers and moments are found by the tree of rows, and nothing is sorted",
        arguments: [
            ("status >= 400", "SCAN exchange"),
            ("id > 100", "SEARCH exchange USING INTEGER PRIMARY KEY (rowid>?)"),
            ("pinned", "SCAN exchange|LIST SUBQUERY 1|SCAN flow"),
        ]
    )
    func queryPlan(_ text: String, _ expected: String) throws {
        let scratch = try ScratchDirectory()
        try CaptureStore.open(.init(path: scratch.capture), now: epoch).close()
        let plan = FilterPlan.exchanges(try Filter(text))
        let sql = """
            EXPLAIN QUERY PLAN SELECT id FROM exchange WHERE \(plan.condition.sql) ORDER BY id DESC LIMIT 9
            """
        let details = try Database(path: scratch.capture).rows("exchange", sql, plan.condition.values) {
            row in
            try row.text(3)
        }
        #expect(details.joined(separator: "|") == expected)
    }
}

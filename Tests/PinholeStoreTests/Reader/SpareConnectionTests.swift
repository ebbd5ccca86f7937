import PinholeFilter
import PinholeModel
import Testing

@testable import PinholeStore

@Suite("Spare connections in lists")
struct SpareConnectionTests {
    private static func spare(_ id: Int64, after: Duration = .zero) -> FlowRecord {
        var flow = FlowRecord.sample(id, after: after)
        flow.outcome = Outcome(.spare, detail: "the client did not need it")
        return flow
    }

    @Test("lists leave spare connections out unless their filter names them, and count them")
    func hidden() throws {
        let (scratch, store) = try recorded([
            .flow(.sample(1)), .exchange(try .sample(2)), .flow(Self.spare(3)), .flow(.failed(4)),
            .flow(Self.spare(5)),
        ])
        defer { store.close() }
        let reader = try CaptureReader(path: scratch.capture)
        func found(_ filter: String) throws -> [Int64] {
            let filter = TrafficFilter(try Filter(filter))
            let ids = try reader.traffic(filter, limit: 9).map(\.id)
            var walked: [Int64] = []
            _ = try reader.trafficIDs(filter) { walked.append($0) }
            #expect(walked == ids.reversed())
            return ids
        }
        #expect(try found("") == [4, 2])
        #expect(try found("failed") == [4])
        #expect(try found("spare") == [5, 3])
        #expect(try found("outcome == spare") == [5, 3])
        #expect(try found("spare | failed") == [5, 4, 3])
        #expect(try found("!spare") == [4, 2])
        #expect(try found("outcome != completed") == [4])
        var all = TrafficFilter()
        all.flows?.showsSpares = true
        #expect(try reader.traffic(all, limit: 9).map(\.id) == [5, 4, 3, 2])
        #expect(try reader.extent().spares == 2)
        #expect(try reader.traffic(limit: 9).allSatisfy { !$0.isSpare })
        #expect(try reader.traffic(ids: [3]).map(\.isSpare) == [true])
    }

    @Test("new connections may be spare, for every client")
    func changes() throws {
        let (scratch, store) = try recorded([.flow(.sample(1))])
        defer { store.close() }
        let reader = try CaptureReader(path: scratch.capture)
        var changes = try TrafficChanges(after: nil, in: reader)
        // It is judged some seconds after its end, when others were closed later.
        store.record([.flow(.failed(2)), .flow(Self.spare(3, after: .seconds(5)))])
        store.flush()
        let first = try changes.next(in: reader)
        #expect(first.rows.map(\.id) == [2, 3])
        store.record([.flow(Self.spare(4, after: .seconds(1)))])
        store.flush()
        #expect(try changes.next(in: reader).rows.map(\.id) == [4])
        #expect(try changes.next(in: reader).rows.isEmpty)
    }

    @Test("counts spare connections, and finds them by their index")
    func index() throws {
        let (scratch, store) = try recorded([.flow(Self.spare(1))])
        defer { store.close() }
        let reader = try CaptureReader(path: scratch.capture)
        for sql in [
            "SELECT count(*) FROM flow WHERE \(FlowFilter.isSpare)",
            "SELECT id FROM flow WHERE \(FlowFilter.isSpare) AND closed >= 1",
        ] {
            let plan = try reader.read { db in
                try db.rows("flow", "EXPLAIN QUERY PLAN \(sql)") { row in try row.text(3) }
            }
            #expect(plan.joined().contains("flow_spare"), "\(plan)")
        }
    }
}

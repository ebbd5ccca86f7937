import GRDB
import PinholeModel

/// Exchanges and flows in one list.
extension CaptureReader {
    /// A page of what `filter` means.
    ///
    /// - Parameters:
    ///   - filter: Which are meant.
    ///   - before: Only what has a lower number; `nil` for the newest.
    ///   - after: Only what has a higher number.
    ///   - order: Which come first.
    ///   - limit: How many at most.
    /// - Returns: The rows.
    /// - Throws: ``CaptureFailure`` when the file cannot be read.
    package func traffic(
        _ filter: TrafficFilter = TrafficFilter(),
        before: Int64? = nil,
        after: Int64? = nil,
        order: CaptureOrder = .newestFirst,
        limit: Int
    ) throws(CaptureFailure) -> [TrafficRow] {
        var filter = filter
        if let before { filter.restrict(before: before) }
        if let after { filter.restrict(after: after) }
        var rows = try exchanges(filter.exchanges, order: order, limit: limit)
            .map { TrafficRow(kind: .exchange($0)) }
        if let flows = filter.flows {
            rows += try self.flows(flows, order: order, limit: limit).map { TrafficRow(kind: .flow($0)) }
            rows.sort { order == .newestFirst ? $0.id > $1.id : $0.id < $1.id }
            rows.removeLast(max(0, rows.count - limit))
        }
        return try completed(rows)
    }

    /// What has these numbers, in their order; one that is gone is left out.
    ///
    /// - Parameter ids: The numbers.
    /// - Returns: The rows.
    /// - Throws: ``CaptureFailure`` when the file cannot be read.
    package func traffic(ids: [Int64]) throws(CaptureFailure) -> [TrafficRow] {
        guard !ids.isEmpty else { return [] }
        var filter = TrafficFilter()
        filter.restrict(to: ids)
        filter.flows?.onlyListed = false
        var found: [Int64: TrafficRow] = [:]
        for summary in try exchanges(filter.exchanges, limit: ids.count) {
            found[summary.id.rawValue] = TrafficRow(kind: .exchange(summary))
        }
        if let flows = filter.flows, found.count < Set(ids).count {
            for record in try self.flows(flows, limit: ids.count) {
                found[record.id.rawValue] = TrafficRow(kind: .flow(record))
            }
        }
        return try completed(ids.compactMap { found[$0] })
    }

    /// The numbers of everything that `filter` means, in order.
    ///
    /// - Parameters:
    ///   - filter: Which are meant.
    ///   - isCancelled: Is asked now and then; true ends it.
    ///   - use: Is given each number.
    /// - Returns: Whether it came to its end.
    /// - Throws: ``CaptureFailure`` when the file cannot be read.
    package func trafficIDs(
        _ filter: TrafficFilter,
        isCancelled: () -> Bool = { false },
        _ use: (Int64) -> Void
    ) throws(CaptureFailure) -> Bool {
        var flows = try flowIDs(filter.flows, isCancelled)[...]
        func take(_ id: Int64) {
            while let flow = flows.first, flow < id {
                use(flow)
                flows.removeFirst()
            }
            use(id)
        }
        guard try exchangeIDs(filter.exchanges, isCancelled, take) else { return false }
        for flow in flows { use(flow) }
        return true
    }

    func exchangeIDs(
        _ filter: ExchangeFilter,
        _ isCancelled: () -> Bool,
        _ use: (Int64) -> Void
    ) throws(CaptureFailure) -> Bool {
        let plan = FilterPlan.exchanges(filter.condition)
        guard plan.rest == nil else {
            // What SQL cannot decide is looked at one by one, a page at a time.
            var filter = filter
            return try walk(by: Self.idsAtOnce) { (last: ExchangeSummary?) throws(CaptureFailure) in
                filter.after = last?.id ?? filter.after
                return try exchanges(filter, order: .oldestFirst, limit: Self.idsAtOnce)
            } use: { page in
                for exchange in page { use(exchange.id.rawValue) }
                return !isCancelled()
            }
        }
        return try read { db in
            let condition = SQLCondition.all([filter.selection(firstID: nil), plan.condition])
            let sql = "SELECT id FROM exchange WHERE \(try condition.sql(in: db)) ORDER BY id"
            var count = 0
            return try db.walk("exchange", sql, condition.arguments) { row in
                count += 1
                if count & 0xfff == 0, isCancelled() { return false }
                use(try row.id(0))
                return true
            }
        }
    }

    private static let idsAtOnce = 1000

    /// Those of `ids` that `filter` means.
    ///
    /// - Parameters:
    ///   - filter: Which are meant.
    ///   - ids: The numbers.
    /// - Returns: Their numbers.
    /// - Throws: ``CaptureFailure`` when the file cannot be read.
    package func trafficIDs(
        _ filter: TrafficFilter,
        among ids: [Int64]
    ) throws(CaptureFailure) -> Set<Int64> {
        var filter = filter
        filter.restrict(to: ids)
        var found: Set<Int64> = []
        _ = try trafficIDs(filter) { found.insert($0) }
        return found
    }

    /// What was said of an exchange or a flow.
    ///
    /// - Parameter id: Its number.
    /// - Returns: What was said; nothing where it is gone.
    /// - Throws: ``CaptureFailure`` when the file cannot be read.
    package func note(_ id: Int64) throws(CaptureFailure) -> TrafficNote {
        try read { db in
            guard try CaptureSchema.hasNotes(db) else { return TrafficNote() }
            return try Self.note(id, db)
        }
    }

    static func note(_ id: Int64, _ db: Database) throws -> TrafficNote {
        let sql = "SELECT id, marked, comment FROM note WHERE id = ?"
        return try db.row("note", sql, [id], isKept: true) { row in
            var note = TrafficNote()
            note.isMarked = try row.truth(1)
            note.comment = try row.optionalText(2)
            return note
        } ?? TrafficNote()
    }

    func flowIDs(
        _ filter: FlowFilter?,
        _ isCancelled: () -> Bool
    ) throws(CaptureFailure) -> [Int64] {
        guard var filter else { return [] }
        let plan = FilterPlan.flows(filter.condition)
        guard plan.rest == nil else {
            var ids: [Int64] = []
            try walk(by: Self.idsAtOnce) { (last: FlowRecord?) throws(CaptureFailure) in
                filter.after = last?.id ?? filter.after
                return try flows(filter, order: .oldestFirst, limit: Self.idsAtOnce)
            } use: { page in
                ids += page.map(\.id.rawValue)
                return !isCancelled()
            }
            return ids
        }
        let condition = SQLCondition.all([filter.selection, plan.condition])
        return try read { db in
            let sql = "SELECT id FROM flow WHERE \(try condition.sql(in: db)) ORDER BY id"
            return try db.rows("flow", sql, condition.arguments) { row in try row.id(0) }
        }
    }

    /// Adds what stands in other tables.
    private func completed(_ rows: [TrafficRow]) throws(CaptureFailure) -> [TrafficRow] {
        guard !rows.isEmpty else { return [] }
        return try read { db in
            let heads = """
                SELECT id, substr(request_head, 1, instr(request_head, x'0a')) AS request_head,
                    substr(response_head, 1, 16384) AS response_head
                FROM content WHERE id = ?
                """
            let process =
                try CaptureSchema.hasProcesses(db)
                ? FlowColumns.process.joined(separator: ", ") : "NULL, NULL, NULL"
            let clients = "SELECT id, client, \(process) FROM flow WHERE id = ?"
            let hasNotes = try CaptureSchema.hasNotes(db)
            return try rows.map { row in
                var row = row
                if case .exchange(let summary) = row.kind {
                    _ = try db.row("flow", clients, [summary.flow.rawValue], isKept: true) { client in
                        row.client = try client.text(1)
                        guard let pid = try client.optionalNumber(2, in: 0...Int64(Int32.max)) else { return }
                        row.clientProcess = ClientProcess(
                            pid: Int32(pid),
                            name: try client.optionalText(3) ?? "",
                            path: try client.optionalText(4)
                        )
                    }
                    _ = try db.row("content", heads, [row.id], isKept: true) { head in
                        row.version = StartLine(try head.bytes(1)).requestVersion
                        row.contentType = MessageRecord(head: try head.bytes(2)).fields.first("content-type")
                    }
                }
                if hasNotes { row.note = try Self.note(row.id, db) }
                return row
            }
        }
    }
}

import PinholeModel

/// Reads exchanges and flows as one list.
extension CaptureReader {
    /// Returns a page of the exchanges and flows that `filter` selects.
    ///
    /// - Parameters:
    ///   - filter: The filter.
    ///   - before: The number before which the rows end; `nil` for the newest.
    ///   - after: The number after which the rows begin; `nil` for the oldest.
    ///   - order: The order of the rows.
    ///   - limit: The largest number of rows to return.
    /// - Returns: The rows.
    /// - Throws: ``CaptureFailure`` if the file cannot be read.
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

    /// Returns the exchanges and flows with these numbers, in the given order; removed ones are left out.
    ///
    /// - Parameters:
    ///   - ids: The numbers.
    ///   - onlyListed: Whether flows that no list shows are left out; spare connections are always included.
    /// - Returns: The rows.
    /// - Throws: ``CaptureFailure`` if the file cannot be read.
    package func traffic(ids: [Int64], onlyListed: Bool = false) throws(CaptureFailure) -> [TrafficRow] {
        guard !ids.isEmpty else { return [] }
        var filter = TrafficFilter()
        filter.restrict(to: ids)
        filter.flows?.onlyListed = onlyListed
        filter.flows?.showsSpares = true
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

    /// Reads the numbers of all exchanges and flows that `filter` selects, in order.
    ///
    /// - Parameters:
    ///   - filter: The filter.
    ///   - isCancelled: Called now and then; `true` ends the reading.
    ///   - use: Called with each number.
    /// - Returns: Whether all numbers were read.
    /// - Throws: ``CaptureFailure`` if the file cannot be read.
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
            // Exchanges about which SQL cannot decide are examined one by one, a page at a time.
            var filter = filter
            return try walk(by: Self.idsAtOnce) { (last: ExchangeRecord?) throws(CaptureFailure) in
                filter.after = last?.id ?? filter.after
                return try exchanges(filter, order: .oldestFirst, limit: Self.idsAtOnce)
            } use: { page in
                for exchange in page { use(exchange.id.rawValue) }
                return !isCancelled()
            }
        }
        return try read { db in
            let condition = SQLCondition.all([filter.selection(firstID: nil), plan.condition])
            let sql = "SELECT id FROM exchange WHERE \(condition.sql) ORDER BY id"
            var count = 0
            return try db.walk("exchange", sql, condition.values) { row in
                count += 1
                if count & 0xfff == 0, isCancelled() { return false }
                use(try row.id(0))
                return true
            }
        }
    }

    private static let idsAtOnce = 1000

    /// Returns the numbers among `ids` that `filter` selects.
    ///
    /// - Parameters:
    ///   - filter: The filter.
    ///   - ids: The numbers to choose from.
    /// - Returns: The selected numbers.
    /// - Throws: ``CaptureFailure`` if the file cannot be read.
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

    /// Returns the mark and the comment on an exchange or a flow.
    ///
    /// - Parameter id: The number of the exchange or flow.
    /// - Returns: The note; an empty one if there is none.
    /// - Throws: ``CaptureFailure`` if the file cannot be read.
    package func note(_ id: Int64) throws(CaptureFailure) -> TrafficNote {
        try read { db in
            try Self.note(id, db)
        }
    }

    static func note(_ id: Int64, _ db: Database) throws -> TrafficNote {
        let sql = "SELECT id, marked, comment FROM note WHERE id = ?"
        return try db.row("note", sql, [.number(id)], isKept: true) { row in
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
            let sql = "SELECT id FROM flow WHERE \(condition.sql) ORDER BY id"
            return try db.rows("flow", sql, condition.values) { row in try row.id(0) }
        }
    }

    /// Adds the facts from other tables to rows: the flow, the version, the content type and the note.
    private func completed(_ rows: [TrafficRow]) throws(CaptureFailure) -> [TrafficRow] {
        guard !rows.isEmpty else { return [] }
        return try read { db in
            let heads = """
                SELECT id, substr(request_head, 1, max(16384, instr(request_head, x'0a'))) AS request_head,
                    substr(response_head, 1, 16384) AS response_head
                FROM content WHERE id = ?
                """
            let connections = "SELECT \(RecordTables.joinedFlow.selection) FROM flow WHERE id = ?"
            return try rows.map { row in
                var row = row
                if case .exchange(let exchange) = row.kind {
                    _ = try db.row("flow", connections, [.number(exchange.flow.rawValue)], isKept: true) {
                        stored in
                        let started = exchange.timings.started
                        var flow = FlowRecord(id: exchange.flow, opened: started, client: "", listener: "")
                        try RecordTables.joinedFlow.read(stored, into: &flow)
                        if exchange.timings.tls != nil {
                            flow.serverHandshake = try Self.handshake(flow.id, db)
                        }
                        row.connection = flow
                    }
                    _ = try db.row("content", heads, [.number(row.id)], isKept: true) { head in
                        row.requestHead = try head.bytes(1)
                        row.responseHead = try head.bytes(2)
                        row.version = StartLine(row.requestHead).requestVersion
                        row.contentType = MessageRecord(head: row.responseHead).fields.first("content-type")
                    }
                }
                row.note = try Self.note(row.id, db)
                return row
            }
        }
    }

    /// Returns the moments of the handshake with the server of a flow; `nil` if it has none.
    ///
    /// The rest of the record is not read: its chains take longer than everything else in a row.
    private static func handshake(_ flow: FlowID, _ db: Database) throws -> HandshakeRecord? {
        let place = "$.flow.serverHandshake"
        let sql = """
            SELECT CAST(json_extract(record, '\(place).started') AS INTEGER) AS started,
                CAST(json_extract(record, '\(place).duration') AS INTEGER) AS duration
            FROM flow WHERE id = ? AND json_valid(record)
                AND json_type(record, '\(place).started') = 'integer'
                AND json_type(record, '\(place).duration') = 'integer'
            """
        return try db.row("flow", sql, [.number(flow.rawValue)], isKept: true) { row in
            HandshakeRecord(
                peer: .server,
                started: Timestamp(microseconds: try row.number(0)),
                duration: .microseconds(try row.number(1))
            )
        }
    }
}

import PinholeModel

/// Reads sorted lists.
extension CaptureReader {
    /// The sort key of a flow, kept until the flow is merged with the exchanges.
    private struct FlowKey {
        let id: Int64
        var number: Int64?
        var text: [UInt8]?

        init(_ id: Int64, _ value: SortValue) {
            self.id = id
            switch value {
            case .missing: break
            case .number(let number): self.number = number
            case .text(let bytes): text = Array(bytes)
            }
        }
    }

    /// The number of rows in one read, which must be short, because the writer's journal grows during it.
    private static let keysAtOnce = 1 << 16
    /// The number of identifiers that one query names.
    private static let namedAtOnce = 1000

    /// Returns the sorted numbers of all exchanges and flows that `filter` selects.
    ///
    /// Nothing is cached, and there is no index on columns that grow with traffic. So each call reads and sorts the
    /// keys.
    ///
    /// - Parameters:
    ///   - filter: The filter.
    ///   - sort: The order.
    ///   - isCancelled: Called now and then; `true` ends the sorting.
    /// - Returns: The numbers; `nil` if the sorting was cancelled.
    /// - Throws: ``CaptureFailure`` if the file cannot be read.
    package func trafficIDs(
        _ filter: TrafficFilter,
        sortedBy sort: TrafficSort,
        isCancelled: () -> Bool = { false }
    ) throws(CaptureFailure) -> [Int64]? {
        var keys = SortKeys()
        var flows = try flowKeys(filter.flows, sort.key, isCancelled)[...]
        func append(_ flow: FlowKey) {
            if let text = flow.text {
                text.withUnsafeBytes { keys.append(flow.id, .text($0)) }
            } else {
                keys.append(flow.id, flow.number.map(SortValue.number) ?? .missing)
            }
        }
        let isWhole = try exchangeKeys(filter.exchanges, sort.key, isCancelled) { id, value in
            while let flow = flows.first, flow.id < id { append(flows.removeFirst()) }
            keys.append(id, value)
        }
        guard isWhole else { return nil }
        for flow in flows { append(flow) }
        return keys.sorted(isDescending: sort.isDescending)
    }

    private func exchangeKeys(
        _ filter: ExchangeFilter,
        _ key: TrafficSort.Key,
        _ isCancelled: () -> Bool,
        _ use: (Int64, SortValue) -> Void
    ) throws(CaptureFailure) -> Bool {
        let columns = ("exchange", key.exchangeColumn ?? "NULL")
        let plan = FilterPlan.exchanges(filter.condition)
        guard plan.rest == nil else {
            // If SQL cannot decide the whole filter, the matching numbers are found first.
            var ids: [Int64] = []
            guard try exchangeIDs(filter, isCancelled, { ids.append($0) }) else { return false }
            return try namedKeys(columns, ids, key, isCancelled, use)
        }
        var filter = filter
        return try walk(by: Self.keysAtOnce) { (last: Int64?) throws(CaptureFailure) in
            if let last { filter.after = ExchangeID(rawValue: last) }
            let condition = SQLCondition.all([filter.selection(firstID: nil), plan.condition])
            return try readKeys(columns, condition, "LIMIT \(Self.keysAtOnce)", key, use)
        } use: { _ in
            !isCancelled()
        }
    }

    private func flowKeys(
        _ filter: FlowFilter?,
        _ key: TrafficSort.Key,
        _ isCancelled: () -> Bool
    ) throws(CaptureFailure) -> [FlowKey] {
        var keys: [FlowKey] = []
        let columns = ("flow", key.flowColumn ?? "NULL")
        _ = try namedKeys(columns, try flowIDs(filter, isCancelled), key, isCancelled) { id, value in
            keys.append(FlowKey(id, value))
        }
        return keys
    }

    /// Reads the keys of the rows with these numbers; returns whether all were read.
    private func namedKeys(
        _ columns: (table: String, key: String),
        _ ids: [Int64],
        _ key: TrafficSort.Key,
        _ isCancelled: () -> Bool,
        _ use: (Int64, SortValue) -> Void
    ) throws(CaptureFailure) -> Bool {
        var rest = ids[...]
        while !rest.isEmpty {
            if isCancelled() { return false }
            _ = try readKeys(columns, .isAmong(Array(rest.prefix(Self.namedAtOnce))), "", key, use)
            rest = rest.dropFirst(Self.namedAtOnce)
        }
        return !isCancelled()
    }

    /// Calls `use` with the key of each row, and returns the numbers of the rows.
    private func readKeys(
        _ columns: (table: String, key: String),
        _ condition: SQLCondition,
        _ limit: String,
        _ key: TrafficSort.Key,
        _ use: (Int64, SortValue) -> Void
    ) throws(CaptureFailure) -> [Int64] {
        try read { db in
            var question = condition
            question.sql = """
                SELECT id, \(columns.key) FROM \(columns.table) WHERE \(condition.sql) ORDER BY id \(limit)
                """
            var ids: [Int64] = []
            try db.walk(columns.table, question.sql, question.values) { row in
                let id = try row.id(0)
                ids.append(id)
                var value = try row.sortValue(1, isText: key.isText)
                if case .text(let text) = value {
                    value = key.textPart.part(of: text).map(SortValue.text) ?? .missing
                }
                use(id, value)
                return true
            }
            return ids
        }
    }
}

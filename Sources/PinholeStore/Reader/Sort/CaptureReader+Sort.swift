import PinholeModel

/// Lists in another order than that of arrival.
extension CaptureReader {
    /// What a flow is sorted by, kept until its place has come.
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

    /// Rows of one read: it is to be short, or the writer's journal grows meanwhile.
    private static let keysAtOnce = 1 << 16
    /// Numbers that one question names.
    private static let namedAtOnce = 1000

    /// The numbers of everything that `filter` means, sorted.
    ///
    /// Nothing is kept: there is no index on what grows with traffic, so each call reads the keys and sorts them.
    ///
    /// - Parameters:
    ///   - filter: Which are meant.
    ///   - sort: The order.
    ///   - isCancelled: Is asked now and then; true ends it.
    /// - Returns: The numbers; `nil` where it was ended.
    /// - Throws: ``CaptureFailure`` when the file cannot be read.
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
            // What SQL cannot decide is found first.
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

    /// The keys of rows with these numbers.
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

    /// Gives each row to `use`; how many there were is said by what stands for them.
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
            try db.walk(columns.table, question.sql(in: db), question.arguments) { row in
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

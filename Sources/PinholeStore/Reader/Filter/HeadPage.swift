import PinholeModel

/// The heads of a page of exchanges, which are all read when the first one is needed.
final class HeadPage {
    private let exchanges: [ExchangeRecord]
    private var records: [ExchangeID: ExchangeRecord]?

    init(_ exchanges: [ExchangeRecord]) { self.exchanges = exchanges }

    /// Returns the exchange with its heads and trailers, without bodies; `nil` if there is none, or if it was removed.
    func record(_ id: ExchangeID, _ reader: CaptureReader) throws(CaptureFailure) -> ExchangeRecord? {
        if let records { return records[id] }
        let records = try read(reader)
        self.records = records
        return records[id]
    }

    private func read(_ reader: CaptureReader) throws(CaptureFailure) -> [ExchangeID: ExchangeRecord] {
        let condition = SQLCondition.isAmong(exchanges.map(\.id.rawValue))
        let wanted = exchanges.map { ($0.id, $0) }
        var records = Dictionary(wanted) { first, _ in first }
        var found: Set<ExchangeID> = []
        try reader.read { db in
            let sql = """
                SELECT id, request_head, request_trailers, response_head, response_trailers FROM content
                WHERE \(condition.sql)
                """
            try db.walk("content", sql, condition.values) { row in
                let id = ExchangeID(rawValue: try row.id(0))
                found.insert(id)
                records[id]?.request.head = try row.bytes(1)
                records[id]?.request.trailers = try row.bytes(2)
                guard records[id]?.response != nil else { return true }
                records[id]?.response?.head = try row.bytes(3)
                records[id]?.response?.trailers = try row.bytes(4)
                return true
            }
        }
        return records.filter { found.contains($0.key) }
    }
}

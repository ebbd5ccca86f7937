import PinholeModel

/// The heads and bodies of a page of exchanges, which are all read when the first one is needed.
final class ContentPage {
    private let exchanges: [ExchangeRecord]
    private var heads: [ExchangeID: ExchangeRecord]?
    private var bodies: [ExchangeID: ExchangeRecord]?

    init(_ exchanges: some Sequence<ExchangeRecord>) { self.exchanges = Array(exchanges) }

    /// Returns an exchange with its heads and trailers, without bodies; `nil` if there is none, or if it was removed.
    func record(_ id: ExchangeID, _ reader: CaptureReader) throws(CaptureFailure) -> ExchangeRecord? {
        if let bodies { return bodies[id] }
        if let heads { return heads[id] }
        let columns = "id, request_head, request_trailers, response_head, response_trailers"
        let heads = try read(columns, reader) { record, row in
            record.request.head = try row.bytes(1)
            record.request.trailers = try row.bytes(2)
            guard record.response != nil else { return }
            record.response?.head = try row.bytes(3)
            record.response?.trailers = try row.bytes(4)
        }
        self.heads = heads
        return heads[id]
    }

    /// Returns an exchange with its heads and the first parts of its bodies; `nil` if there is none, or if it was
    /// removed.
    func whole(_ id: ExchangeID, _ reader: CaptureReader) throws(CaptureFailure) -> ExchangeRecord? {
        if let bodies { return bodies[id] }
        let bodies = try read("*", reader) { record, row in try record.add(content: row) }
        self.bodies = bodies
        return bodies[id]
    }

    private func read(
        _ columns: String,
        _ reader: CaptureReader,
        _ add: (inout ExchangeRecord, StoredRow) throws -> Void
    ) throws(CaptureFailure) -> [ExchangeID: ExchangeRecord] {
        let condition = SQLCondition.isAmong(exchanges.map(\.id.rawValue))
        var rest = Dictionary(exchanges.map { ($0.id, $0) }) { first, _ in first }
        var found: [ExchangeID: ExchangeRecord] = [:]
        try reader.read { db in
            let sql = "SELECT \(columns) FROM content WHERE \(condition.sql)"
            try db.walk("content", sql, condition.values) { row in
                guard var record = rest.removeValue(forKey: ExchangeID(rawValue: try row.id(0))) else {
                    return true
                }
                try add(&record, row)
                found[record.id] = record
                return true
            }
        }
        return found
    }
}

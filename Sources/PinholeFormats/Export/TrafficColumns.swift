import PinholeModel
import PinholeStore

/// The columns of CSV: the fields that are exported, and what lists show beside them.
enum TrafficColumns {
    /// The names, in order: the exchange's own fields, its head and note, and the fields of its flow.
    static let names: [String] = {
        let ofFlow = FlowFields.all.filter(\.isJoined).compactMap(\.export)
        let own = ExchangeFields.all.compactMap(\.export).filter { !ofFlow.contains($0) }
        return own.prefix(1) + ["type"] + own.dropFirst() + RowFields.listed.compactMap(\.export) + ofFlow
    }()

    /// Returns the values of a row, in the order of the names.
    static func values(of row: TrafficRow) -> [String] {
        var values: [String: String] = [:]
        add(RowFields.listed, of: row, to: &values)
        switch row.kind {
        case .exchange(let exchange):
            values["type"] = "exchange"
            if let flow = row.connection { add(FlowFields.joined, of: flow, to: &values) }
            add(ExchangeFields.all, of: exchange, to: &values)
        case .flow(let flow):
            values["type"] = "flow"
            add(FlowFields.all, of: flow, to: &values)
        }
        return names.map { values[$0] ?? "" }
    }

    private static func add<Record>(
        _ fields: [RecordField<Record>],
        of record: Record,
        to values: inout [String: String]
    ) {
        for field in fields {
            if let name = field.export { values[name] = field.text(of: record) }
        }
    }
}

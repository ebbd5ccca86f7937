import PinholeModel

extension TrafficSort.Key {
    /// The sort key of an exchange: a column of the table `exchange`, or an expression; `nil` if there is none.
    var exchangeColumn: String? {
        switch self {
        case .named(let field):
            field.exchange?.orderColumn(ExchangeColumns().authority)
                ?? field.flow?.orderColumn(FlowColumns().authority).map {
                    "(SELECT \($0) FROM flow WHERE id = exchange.flow)"
                }
        case .type: "(SELECT response_head FROM content WHERE id = exchange.id)"
        case .protocol: Self.exchangeProtocol
        case .comment: Self.comment("exchange")
        case .marked: Self.marked("exchange")
        }
    }

    /// The sort key of a flow; `nil` if flows have none.
    var flowColumn: String? {
        switch self {
        case .named(let field): field.flow?.orderColumn(FlowColumns().authority)
        case .type, .protocol: nil
        case .comment: Self.comment("flow")
        case .marked: Self.marked("flow")
        }
    }

    /// Whether lists are sorted by texts; otherwise by numbers.
    var isText: Bool {
        switch self {
        case .named(let field): field.unit == nil
        case .type, .comment: true
        case .protocol, .marked: false
        }
    }

    /// The part of the text in the column by which lists are sorted.
    var textPart: FieldOrder.Part {
        switch self {
        case .named(let field): field.exchange?.order?.part ?? .whole
        case .type: .mediaType
        case .protocol, .comment, .marked: .whole
        }
    }

    private static func comment(_ table: String) -> String {
        "(SELECT comment FROM note WHERE id = \(table).id)"
    }

    private static func marked(_ table: String) -> String {
        "(SELECT CASE WHEN marked THEN 1 END FROM note WHERE id = \(table).id)"
    }

    /// The protocol as a number: 1 for HTTP/1, 2 for HTTP/2 by the end of the request line, 3 for a WebSocket.
    private static let exchangeProtocol = """
        (CASE WHEN notes & \(NoteBits.bits([.webSocket])) THEN 3 ELSE (SELECT 1 + (instr(substr(request_head, 1, \
        instr(request_head, x'0a')), x'20485454502f32') > 0) FROM content WHERE id = exchange.id) END)
        """
}

extension RecordField {
    /// Returns the SQL to sort by in the table of the records; `nil` if lists are not sorted by the field.
    fileprivate func orderColumn(_ authority: AuthorityColumn) -> String? {
        guard let order else { return nil }
        if let sql = order.sql { return sql }
        guard case .known(let column) = column(in: authority) else { return column?.name }
        return column.sql
    }
}

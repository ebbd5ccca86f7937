import PinholeFilter
import PinholeModel

extension TrafficSort.Key {
    /// What an exchange is sorted by: a column of the table `exchange`, or what is worked out from columns.
    var exchangeColumn: String? {
        switch self {
        case .host: "authority"
        case .path: "path"
        case .type: "(SELECT response_head FROM content WHERE id = exchange.id)"
        case .protocol: Self.exchangeProtocol
        case .marked: Self.marked("exchange")
        default: column("exchange", ExchangeColumns())
        }
    }

    /// What a flow is sorted by; `nil` where no flow has that.
    var flowColumn: String? {
        switch self {
        case .host, .url: "authority"
        case .size: "(\(Self.bytes("Client")) + \(Self.bytes("Server")))"
        case .requestSize: Self.bytes("Client")
        case .responseSize: Self.bytes("Server")
        case .path, .type, .protocol: nil
        case .marked: Self.marked("flow")
        default: column("flow", FlowColumns())
        }
    }

    /// Whether lists are sorted by texts; otherwise by numbers.
    var isText: Bool {
        switch self {
        case .method, .scheme, .host, .path, .url, .type, .outcome, .client, .process, .proxyUser, .comment:
            true
        case .id, .flow, .time, .status, .protocol, .port, .size, .requestSize, .responseSize, .duration,
            .firstByte, .blocked, .resolve, .connect, .tlsTime, .marked:
            false
        }
    }

    /// What is meant of a text in the column.
    var textPart: SortText {
        switch self {
        case .host: .host
        case .type: .mediaType
        default: .whole
        }
    }

    /// What filters know under the same name.
    private func column(_ table: String, _ columns: some FilterColumns) -> String? {
        let column =
            NumberField(rawValue: rawValue).map(columns.column)
            ?? TextField.all.first { $0.name == rawValue }.map(columns.column)
        return switch column {
        case .known(let column): column.sql
        case .ofFlow(let column): "(SELECT \(column.sql) FROM flow WHERE id = \(table).flow)"
        case .ofNote(let column): "(SELECT \(column.sql) FROM note WHERE id = \(table).id)"
        case .absent, .elsewhere, nil: nil
        }
    }

    private static func marked(_ table: String) -> String {
        "(SELECT CASE WHEN marked THEN 1 END FROM note WHERE id = \(table).id)"
    }

    /// What the table `flow` has of lengths stands in its record.
    private static func bytes(_ side: String) -> String { "(record ->> '$.flow.bytesFrom\(side)')" }

    /// 1, 2, and 3 for a WebSocket: as the version ends the request line.
    private static let exchangeProtocol = """
        (CASE WHEN notes & \(NoteBits.bits([.webSocket])) THEN 3 ELSE (SELECT 1 + (instr(substr(request_head, 1, \
        instr(request_head, x'0a')), x'20485454502f32') > 0) FROM content WHERE id = exchange.id) END)
        """
}

import PinholeFilter

/// What the table `flow` can say about a filter's parts.
struct FlowColumns: FilterColumns {
    private static let isOver = "outcome IS NOT NULL"
    /// What is known of the program that made the connection.
    static let process = ["process_id", "process_name", "process_path"]
    private static let authority = AuthorityColumn(defaultPort: "443", absence: isOver)

    func condition(_ flag: FilterFlag, isNegated: Bool) -> SQLCondition? {
        switch flag {
        case .failed: SQLCondition(isNegated ? "(failed = 0 AND outcome IS NOT NULL)" : "failed = 1")
        case .running: SQLCondition(isNegated ? Self.isOver : "outcome IS NULL")
        case .relayed: Self.treatment("('passedThrough', 'opaque')", isNegated)
        case .intercepted: Self.treatment("('intercepted')", isNegated)
        // The record says more exactly what happened in a handshake.
        case .tlsFailed: isNegated ? nil : SQLCondition("failed = 1").inexact
        case .pinned: isNegated ? nil : SQLCondition("(failed = 1 AND instr(record, 'looksPinned'))").inexact
        case .spare:
            SQLCondition(isNegated ? "(outcome <> 'spare' AND outcome IS NOT NULL)" : FlowFilter.isSpare)
        case .tlsAlert: isNegated ? nil : SQLCondition("instr(record, '\"alert\"')").inexact
        case .tls, .resumed: nil
        case .marked: Self.marked(isNegated: isNegated)
        case .http, .https, .answered, .unanswered, .websocket, .grpc, .sse, .asset, .reused, .retried,
            .ruled:
            isNegated ? .always : .never
        }
    }

    func column(_ field: NumberField) -> FilterColumn {
        switch field {
        case .id, .flow: .known(SQLColumn(sql: "id"))
        case .port: .known(Self.authority.port)
        case .pid: .known(SQLColumn(sql: "process_id", absence: "1"))
        case .duration: .known(SQLColumn(sql: "(closed - opened)", absence: Self.isOver))
        case .time: .known(SQLColumn(sql: "opened"))
        case .status, .messages, .size, .requestSize, .responseSize, .firstByte, .blocked, .resolve, .connect,
            .tlsTime:
            .absent
        }
    }

    func column(_ field: TextField) -> FilterColumn {
        switch field {
        case .host: .known(Self.authority.host)
        case .outcome: .known(SQLColumn(sql: "outcome", absence: Self.isOver))
        case .client: .known(SQLColumn(sql: "client"))
        case .process: .known(SQLColumn(sql: "process_name", absence: "1", other: "process_path"))
        case .proxyUser:
            .known(SQLColumn(sql: "proxy_user", absence: "(treatment IS NOT NULL OR \(Self.isOver))"))
        case .treatment: .known(SQLColumn(sql: "treatment", absence: Self.isOver))
        case .comment: Self.comment
        case .marker: Self.marker
        case .error, .server, .destination, .serverName, .applicationProtocol, .version, .cipher, .cause,
            .alert:
            .elsewhere
        case .method, .path, .query, .url, .scheme, .headers, .header, .contentType, .body: .absent
        }
    }

    var authority: AuthorityColumn { Self.authority }

    private static func treatment(_ list: String, _ isNegated: Bool) -> SQLCondition {
        guard isNegated else { return SQLCondition("treatment IN \(list)") }
        return SQLCondition("(treatment NOT IN \(list) OR (treatment IS NULL AND \(isOver)))")
    }
}

import PinholeFilter
import PinholeModel

/// What the table `exchange` can say about a filter's parts, and the flow's about the rest.
struct ExchangeColumns: FilterColumns {
    private static let isOver = "outcome IS NOT NULL"
    private static let flow = FlowColumns()

    func condition(_ flag: FilterFlag, isNegated: Bool) -> SQLCondition? {
        switch flag {
        case .http: isNegated ? .never : .always
        case .spare: isNegated ? .always : .never
        case .https: SQLCondition(isNegated ? "scheme <> 1" : "scheme = 1")
        case .answered: Self.state(isNegated: isNegated)
        case .unanswered: Self.state(isNegated: !isNegated)
        case .running: SQLCondition(isNegated ? Self.isOver : "outcome IS NULL")
        case .failed: SQLCondition(isNegated ? Self.succeeded : Self.failed)
        case .websocket: Self.note(.webSocket, isNegated)
        case .reused: Self.note(.connectionReused, isNegated)
        case .retried: Self.note(.retried, isNegated)
        case .ruled: Self.note(.ruled, isNegated)
        case .grpc, .sse, .asset: nil
        case .marked: Self.marked(isNegated: isNegated)
        case .tls, .tlsFailed, .tlsAlert, .pinned, .resumed, .relayed, .intercepted:
            Self.flow.condition(flag, isNegated: isNegated)?.ofFlow
        }
    }

    func column(_ field: NumberField) -> FilterColumn {
        switch field {
        case .status: .known(SQLColumn(sql: "status", absence: Self.isOver))
        case .port: .known(authority.port)
        case .id: .known(SQLColumn(sql: "id"))
        case .flow: .known(SQLColumn(sql: "flow"))
        case .pid: Self.flow.column(field).ofFlow
        case .messages: .elsewhere
        case .size:
            .known(
                SQLColumn(
                    sql: "(request_length + response_length)",
                    completion: Self.complete([.requestComplete, .responseComplete])
                )
            )
        case .requestSize:
            .known(SQLColumn(sql: "request_length", completion: Self.complete(.requestComplete)))
        case .responseSize:
            .known(
                SQLColumn(
                    sql: "(CASE WHEN \(Self.hasResponse) THEN response_length END)",
                    absence: Self.isOver,
                    completion: Self.complete(.responseComplete)
                )
            )
        case .duration: Self.duration("ended")
        case .firstByte: Self.duration("response_started")
        case .blocked: Self.duration("blocked")
        case .resolve: Self.duration("resolve")
        case .connect: Self.duration("connect")
        case .tlsTime: Self.duration("tls")
        case .time: .known(SQLColumn(sql: "started"))
        }
    }

    func column(_ field: TextField) -> FilterColumn {
        switch field {
        case .method: .known(SQLColumn(sql: "method"))
        case .host: .known(authority.host)
        case .path:
            .known(
                SQLColumn(
                    sql:
                        "(CASE WHEN instr(path, '?') THEN substr(path, 1, instr(path, '?') - 1) ELSE path END)",
                    sieve: SQLColumn.Sieve(column: "path", position: .beginning)
                )
            )
        case .query:
            .known(
                SQLColumn(
                    sql: "(CASE WHEN instr(path, '?') THEN substr(path, instr(path, '?') + 1) END)",
                    absence: "1",
                    sieve: SQLColumn.Sieve(column: "path", position: .end)
                )
            )
        case .url: .known(SQLColumn(sql: Self.url, isURL: true))
        case .scheme: .known(SQLColumn(sql: "(CASE scheme WHEN 1 THEN 'https' ELSE 'http' END)"))
        case .outcome: .known(SQLColumn(sql: Self.outcome, absence: Self.isOver))
        case .error:
            .known(
                SQLColumn(
                    sql: "(CASE WHEN outcome <> \(Kind.completed.code) THEN coalesce(detail, '') END)",
                    absence: Self.isOver
                )
            )
        case .proxyUser: .known(SQLColumn(sql: "proxy_user", absence: Self.isOver))
        case .comment: Self.comment
        case .marker: Self.marker
        case .client, .process, .server, .destination, .treatment, .serverName, .applicationProtocol,
            .version, .cipher,
            .cause, .alert:
            Self.flow.column(field).ofFlow
        case .headers, .header, .contentType, .body: .elsewhere
        }
    }

    let authority = AuthorityColumn(defaultPort: "(CASE scheme WHEN 1 THEN 443 ELSE 80 END)")

    private typealias Kind = ExchangeOutcome.Kind

    /// An answer of the proxy's own counts by its status; one without is a close, which leaves the client with nothing.
    static let failed = "(outcome NOT IN \(good) OR (\(ownAnswer) AND coalesce(status, 400) >= 400))"
    private static let succeeded = "(outcome IN \(carried) OR (\(ownAnswer) AND coalesce(status, 400) < 400))"
    private static let carried = "(\(Kind.completed.code), \(Kind.closedByClient.code))"
    private static let good =
        "(\(Kind.completed.code), \(Kind.closedByClient.code), \(Kind.answeredByProxy.code))"
    private static let ownAnswer = "outcome = \(Kind.answeredByProxy.code)"
    private static let hasResponse = "state & \(ExchangeState.hasResponse.rawValue)"

    private static let url = """
        (CASE scheme WHEN 1 THEN 'https://' ELSE 'http://' END || authority \
        || CASE path WHEN '*' THEN '' ELSE path END)
        """

    private static let outcome =
        "(CASE outcome" + Kind.allCases.map { " WHEN \($0.code) THEN '\($0.rawValue)'" }.joined() + " END)"

    private static func complete(_ state: ExchangeState) -> String {
        "(outcome IS NOT NULL OR state & \(state.rawValue) = \(state.rawValue))"
    }

    private static func state(isNegated: Bool) -> SQLCondition {
        SQLCondition("\(hasResponse) \(isNegated ? "=" : "<>") 0")
    }

    private static func duration(_ column: String) -> FilterColumn {
        .known(SQLColumn(sql: column, absence: isOver))
    }

    private static func note(_ note: ExchangeNote, _ isNegated: Bool) -> SQLCondition {
        let bit = NoteBits.bits([note])
        return SQLCondition(
            isNegated ? "(notes & \(bit) = 0 AND outcome IS NOT NULL)" : "notes & \(bit) <> 0"
        )
    }
}

import PinholeFilter
import PinholeModel

/// The SQL for the parts of a filter on exchanges, from the tables `exchange` and `flow`.
struct ExchangeColumns: FilterColumns {
    private static let isOver = "outcome IS NOT NULL"
    private static let flow = FlowColumns()

    func condition(_ flag: FilterFlag, isNegated: Bool) -> SQLCondition? {
        switch flag {
        case .http: isNegated ? .never : .always
        case .spare, .tlsAnswered: isNegated ? .always : .never
        case .https: SQLCondition(isNegated ? "scheme <> 1" : "scheme = 1")
        case .answered: Self.state(isNegated: isNegated)
        case .unanswered: Self.state(isNegated: !isNegated)
        case .running: SQLCondition(isNegated ? Self.isOver : "outcome IS NULL")
        case .failed: Self.ended(StandingSQL.isFailed, isNegated)
        case .broken: Self.ended(StandingSQL.isBroken, isNegated)
        case .websocket: Self.noted([.webSocket], isNegated)
        case .reused: Self.noted([.connectionReused], isNegated)
        case .retried: Self.noted([.retried], isNegated)
        case .sloppy: Self.noted(ExchangeNote.sloppy, isNegated)
        case .ruled: Self.noted([.ruled], isNegated)
        case .grpc, .sse, .asset: nil
        case .marked: Self.marked(isNegated: isNegated)
        case .tls, .tlsFailed, .tlsAlert, .pinned, .resumed, .relayed, .intercepted:
            Self.flow.condition(flag, isNegated: isNegated)?.ofFlow
        }
    }

    func column(_ field: NamedField) -> FilterColumn {
        field.exchange?.column(in: authority) ?? Self.flow.column(field).ofFlow
    }

    static let messages = FilterColumn.elsewhere

    let authority = AuthorityColumn(defaultPort: "(CASE scheme WHEN 1 THEN 443 ELSE 80 END)")

    private static let hasResponse = "state & \(ExchangeState.hasResponse.rawValue)"

    static let url = """
        (CASE scheme WHEN 1 THEN 'https://' ELSE 'http://' END || authority \
        || CASE path WHEN '*' THEN '' ELSE path END)
        """

    private static func state(isNegated: Bool) -> SQLCondition {
        SQLCondition("\(hasResponse) \(isNegated ? "=" : "<>") 0")
    }

    /// The condition that a fact holds, or that the exchange ended without it.
    private static func ended(_ fact: String, _ isNegated: Bool) -> SQLCondition {
        SQLCondition(isNegated ? "(\(isOver) AND NOT \(fact))" : fact)
    }

    /// The condition for an exchange with at least one of `notes`.
    private static func noted(_ notes: [ExchangeNote], _ isNegated: Bool) -> SQLCondition {
        let bits = NoteBits.bits(notes)
        return SQLCondition(
            isNegated ? "(notes & \(bits) = 0 AND outcome IS NOT NULL)" : "notes & \(bits) <> 0"
        )
    }
}

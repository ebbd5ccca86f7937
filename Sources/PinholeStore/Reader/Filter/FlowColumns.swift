import PinholeFilter
import PinholeModel

/// The SQL for the parts of a filter on flows, from the table `flow`.
struct FlowColumns: FilterColumns {
    private static let isOver = "outcome IS NOT NULL"
    private static let authority = AuthorityColumn(defaultPort: "443", absence: isOver)

    func condition(_ flag: FilterFlag, isNegated: Bool) -> SQLCondition? {
        switch flag {
        case .failed, .broken: SQLCondition(isNegated ? "(failed = 0 AND outcome IS NOT NULL)" : "failed = 1")
        case .running: SQLCondition(isNegated ? Self.isOver : "outcome IS NULL")
        case .relayed: Self.treatment("('passedThrough', 'opaque')", isNegated)
        case .intercepted: Self.treatment("('intercepted')", isNegated)
        // Only the record says exactly what happened in a handshake.
        case .tlsFailed: isNegated ? nil : SQLCondition("failed = 1").inexact
        case .pinned: isNegated ? nil : SQLCondition("(failed = 1 AND instr(record, 'looksPinned'))").inexact
        case .spare:
            SQLCondition(isNegated ? "(outcome <> 'spare' AND outcome IS NOT NULL)" : FlowFilter.isSpare)
        case .tlsAnswered:
            SQLCondition(
                isNegated
                    ? "(\(Self.isOver) AND NOT \(FlowFilter.isAnsweredFailure))"
                    : FlowFilter.isAnsweredFailure
            )
        case .tlsAlert: isNegated ? nil : SQLCondition("instr(record, '\"alert\"')").inexact
        case .tls, .resumed: nil
        case .marked: Self.marked(isNegated: isNegated)
        case .http, .https, .answered, .unanswered, .websocket, .grpc, .sse, .asset, .reused, .retried,
            .sloppy, .ruled:
            isNegated ? .always : .never
        }
    }

    func column(_ field: NamedField) -> FilterColumn {
        field.flow?.column(in: Self.authority) ?? .absent
    }

    static let messages = FilterColumn.absent

    var authority: AuthorityColumn { Self.authority }

    private static func treatment(_ list: String, _ isNegated: Bool) -> SQLCondition {
        guard isNegated else { return SQLCondition("treatment IN \(list)") }
        return SQLCondition("(treatment NOT IN \(list) OR (treatment IS NULL AND \(isOver)))")
    }
}

import PinholeFilter

/// Where a fact is.
enum FilterColumn {
    /// In a column.
    case known(SQLColumn)
    /// In a column of the flow.
    case ofFlow(SQLColumn)
    /// In a column of the table `note`.
    case ofNote(SQLColumn)
    /// Nowhere: such records have none.
    case absent
    /// Where SQL does not look: in heads, bodies, the record of the flow.
    case elsewhere

    /// The same about the flow of an exchange.
    var ofFlow: FilterColumn {
        if case .known(let column) = self { .ofFlow(column) } else { self }
    }
}

/// What a table can say about the parts of a filter.
protocol FilterColumns {
    /// That the flag holds, or that it does not; `nil` where the table cannot tell.
    func condition(_ flag: FilterFlag, isNegated: Bool) -> SQLCondition?

    /// Where the number is.
    func column(_ field: NumberField) -> FilterColumn

    /// Where the text is.
    func column(_ field: TextField) -> FilterColumn

    /// Where the host and the port are.
    var authority: AuthorityColumn { get }
}

extension FilterColumns {
    /// Where what people said is.
    static var comment: FilterColumn { .ofNote(SQLColumn(sql: "comment")) }

    /// Where mitmproxy's name of a mark is.
    static var marker: FilterColumn {
        .ofNote(SQLColumn(sql: "(CASE WHEN marked THEN '\(RecordFacts.marker)' END)"))
    }

    /// That somebody marked it, or not.
    static func marked(isNegated: Bool) -> SQLCondition? {
        SQLCondition("marked").ofNote(isNegated: isNegated)
    }

    /// That `node` holds, or that it does not, as far as that is known; `nil` where the table cannot tell.
    ///
    /// Truth has three values, so that a filter holds and that it does not are two questions. A negation changes
    /// from one to the other, and each leaf answers both.
    func condition(_ node: FilterNode, isNegated: Bool = false) -> SQLCondition? {
        switch node {
        case .everything: return isNegated ? .never : .always
        case .flag(let flag): return condition(flag, isNegated: isNegated)
        case .host(let pattern): return authority.condition(pattern, isNegated: isNegated)
        case .number(let field, let relation, let value):
            return condition(column(field), isNegated) { $0.condition(relation, value, isNegated: isNegated) }
        case .text(let field, let test):
            let column = column(field)
            // Who has no note has no row, so that the row is asked whether it holds, and then negated.
            if case .ofNote(let ofNote) = column {
                return ofNote.condition(test, isNegated: false)?.ofNote(isNegated: isNegated)
            }
            return condition(column, isNegated) { $0.condition(test, isNegated: isNegated) }
        case .not(let node): return condition(node, isNegated: !isNegated)
        case .and(let nodes): return isNegated ? any(nodes, isNegated) : all(nodes, isNegated)
        case .or(let nodes): return isNegated ? all(nodes, isNegated) : any(nodes, isNegated)
        }
    }

    private func condition(
        _ column: FilterColumn,
        _ isNegated: Bool,
        _ make: (SQLColumn) -> SQLCondition?
    ) -> SQLCondition? {
        switch column {
        case .known(let column): make(column)
        case .ofFlow(let column): make(column)?.ofFlow
        // No number is in a note, and texts were asked before.
        case .ofNote: nil
        case .absent: isNegated ? .always : .never
        case .elsewhere: nil
        }
    }

    /// What the table can tell narrows; what it cannot is left out.
    private func all(_ nodes: [FilterNode], _ isNegated: Bool) -> SQLCondition? {
        let known = nodes.compactMap { condition($0, isNegated: isNegated) }
        guard !known.isEmpty else { return nil }
        let joined = SQLCondition.all(known)
        return known.count == nodes.count ? joined : joined.inexact
    }

    private func any(_ nodes: [FilterNode], _ isNegated: Bool) -> SQLCondition? {
        let known = nodes.compactMap { condition($0, isNegated: isNegated) }
        return known.count == nodes.count ? .any(known) : nil
    }
}

import PinholeFilter
import PinholeModel

/// The place of a fact in the tables.
enum FilterColumn {
    /// A column, or an expression of columns, of the same table.
    case known(SQLColumn)
    /// A column of the table `flow`.
    case ofFlow(SQLColumn)
    /// A column of the table `note`.
    case ofNote(SQLColumn)
    /// No place, because such records never have the fact.
    case absent
    /// A place that SQL does not search: heads, bodies, the record of the flow.
    case elsewhere

    /// The same place, seen from an exchange of the flow.
    var ofFlow: FilterColumn {
        if case .known(let column) = self { .ofFlow(column) } else { self }
    }
}

/// The SQL that a table offers for the parts of a filter.
protocol FilterColumns {
    /// Returns the condition that the flag holds, or that it does not; `nil` if the table cannot tell.
    func condition(_ flag: FilterFlag, isNegated: Bool) -> SQLCondition?

    /// Returns the place of the value of a field.
    func column(_ field: NamedField) -> FilterColumn

    /// The place of the heads and bodies of messages.
    static var messages: FilterColumn { get }

    /// The column with the host and the port.
    var authority: AuthorityColumn { get }
}

extension FilterColumns {
    /// The place of users' comments.
    static var comment: FilterColumn { .ofNote(SQLColumn(sql: "comment")) }

    /// The place of the text that mitmproxy uses for a mark.
    static var marker: FilterColumn {
        .ofNote(SQLColumn(sql: "(CASE WHEN marked THEN '\(RecordFacts.marker)' END)"))
    }

    /// Returns the place of the text.
    func column(_ field: TextField) -> FilterColumn {
        switch field {
        case .named(let field): column(field)
        case .comment: Self.comment
        case .marker: Self.marker
        case .headers, .header, .contentType, .body, .graphQL: Self.messages
        }
    }

    /// Returns the condition that a user marked the item, or that none did.
    static func marked(isNegated: Bool) -> SQLCondition? {
        SQLCondition("marked").ofNote(isNegated: isNegated)
    }

    /// Returns the condition that `node` is known to hold, or known not to hold; `nil` if the table cannot tell.
    ///
    /// Truth has three values, so whether a filter holds and whether it does not are two questions. A negation changes
    /// from one to the other, and each leaf answers both.
    func condition(_ node: FilterNode, isNegated: Bool = false) -> SQLCondition? {
        switch node {
        case .everything: return isNegated ? .never : .always
        case .flag(let flag): return condition(flag, isNegated: isNegated)
        case .host(let pattern): return authority.condition(pattern, isNegated: isNegated)
        case .number(let field, let relation, let value):
            return condition(column(field.field), isNegated) {
                $0.condition(relation, value, isNegated: isNegated)
            }
        case .text(let field, let test):
            let column = column(field)
            // An item without a note has no row. So the condition on the row is made first, and negated as a whole.
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
        // A note has no numbers, and its texts were handled before.
        case .ofNote: nil
        case .absent: isNegated ? .always : .never
        case .elsewhere: nil
        }
    }

    /// Joins the conditions that the table can decide; the other nodes make the result inexact.
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

extension RecordField {
    /// Returns the place of the value in the table of the records; `nil` if filters do not ask for the field.
    ///
    /// - Parameter authority: The column with the host and the port.
    /// - Returns: The place.
    func column(in authority: AuthorityColumn) -> FilterColumn? {
        guard let filter, var found = column(filter.sql, authority) else {
            return filter.map { _ in .elsewhere }
        }
        found.absence = filter.until?.sql
        found.completion = filter.growth?.sql
        return .known(found)
    }

    private func column(_ sql: FieldSQL, _ authority: AuthorityColumn) -> SQLColumn? {
        switch sql {
        case .column: column.map { SQLColumn(sql: $0.name) }
        case .columns(let first, let second): SQLColumn(sql: first, other: second)
        case .expression(let sql): SQLColumn(sql: sql)
        case .part(let sql, let column, let isBeginning):
            SQLColumn(
                sql: sql,
                sieve: SQLColumn.Sieve(column: column, position: isBeginning ? .beginning : .end)
            )
        case .host: authority.host
        case .port: authority.port
        case .url: SQLColumn(sql: ExchangeColumns.url, isURL: true)
        case .elsewhere: nil
        }
    }
}

import PinholeModel

/// Writes exchanges, several with one statement.
///
/// A statement for each row took 5,500 more instructions for an exchange: SQLite opens the table, finds its end and
/// closes it again each time.
///
/// All calls are on the writer's queue.
final class ExchangeWriter {
    /// The statements that write the two rows of exchanges.
    private struct Statements {
        let exchange: Statement
        let content: Statement

        func bind(_ record: ExchangeRecord) {
            RecordTables.exchange.bind(record, to: exchange)
            content.bind(record.id.rawValue)
            content.bind(record.request.head)
            content.bind(record.request.body.inline)
            content.bind(record.request.trailers)
            content.bind(HeadList.encode(record.informational))
            content.bind(record.response?.head ?? [])
            content.bind(record.response?.body.inline ?? [])
            content.bind(record.response?.trailers ?? [])
        }

        func run() throws(DatabaseError) {
            do {
                try exchange.run()
                try content.run()
            } catch {
                // If the first failed, the second still has values.
                content.reset()
                throw error
            }
        }
    }

    private let alone: Statements
    private let together: Statements
    private let ruling: Statement

    /// The number of exchanges that one statement writes; more save little.
    private static let rows = 16
    private static let contentColumns = 8

    init(_ db: Database) throws {
        func prepare(_ sql: String) throws -> Statement { try db.statement(sql, isKept: true) }
        alone = Statements(
            exchange: try prepare(RecordTables.exchange.insertion()),
            content: try prepare(RowInsertion.replacing("content", columns: Self.contentColumns))
        )
        together = Statements(
            exchange: try prepare(RecordTables.exchange.insertion(rows: Self.rows)),
            content: try prepare(RowInsertion.adding(Self.rows, "content", columns: Self.contentColumns))
        )
        ruling = try prepare("INSERT OR REPLACE INTO ruling VALUES (?,?)")
    }

    /// Writes the exchanges among events.
    ///
    /// - Parameters:
    ///   - events: The events.
    ///   - places: The places of the exchanges to write.
    /// - Throws: ``DatabaseError`` if a row cannot be written, or the error of the encoder of rules.
    func write(_ events: [FlowEvent], at places: [Int]) throws {
        var rest = places[...]
        while rest.count >= Self.rows {
            let group = rest.prefix(Self.rows)
            rest = rest.dropFirst(Self.rows)
            for place in group { bind(events[place], to: together) }
            guard try !addTogether() else { continue }
            // An exchange of the group was recorded while it ran.
            for place in group { try write(events[place]) }
        }
        for place in rest { try write(events[place]) }
        for place in places { try writeRules(of: events[place]) }
    }

    /// Adds the bound rows.
    ///
    /// - Returns: Whether all were added; otherwise there was a row with the number of one, and some were added.
    private func addTogether() throws(DatabaseError) -> Bool {
        do {
            try together.run()
            return true
        } catch {
            guard error.kind == .constraint else { throw error }
            return false
        }
    }

    private func bind(_ event: FlowEvent, to statements: Statements) {
        if case .exchange(let record) = event { statements.bind(record) }
    }

    private func write(_ event: FlowEvent) throws {
        bind(event, to: alone)
        try alone.run()
    }

    private func writeRules(of event: FlowEvent) throws {
        guard case .exchange(let record) = event, !record.rules.isEmpty else { return }
        ruling.bind(record.id.rawValue)
        ruling.bind(try RuleHitCoder.encode(record.rules))
        try ruling.run()
    }
}

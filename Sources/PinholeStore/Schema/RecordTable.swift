import PinholeModel

/// Declares, writes and reads the columns of a table that are fields of a record.
struct RecordTable<Record> {
    private let name: String
    private let written: [FieldColumn<Record>]
    /// The function that reads the value of a column from a record.
    private enum Value {
        case number(@Sendable (Record) -> Int64?)
        case text(@Sendable (Record) -> String?)
    }

    /// The functions that read the values of the written columns; they are kept apart because every row needs them.
    private let values: [Value]
    /// The columns that are read.
    private let columns: [FieldColumn<Record>]
    /// The list of columns for SELECT, in the order in which ``read(_:into:)`` expects them.
    let selection: String

    /// Creates the table for the columns of fields.
    init(_ name: String, _ fields: [RecordField<Record>]) {
        self.name = name
        let all = fields.compactMap(\.column)
        written = all.filter { $0.expression == nil }
        values = written.map { column in
            switch column.access {
            case .number(let get, _): .number(get)
            case .text(let get, _): .text(get)
            }
        }
        columns = all.filter(\.isRead)
        selection = columns.map { column in
            column.expression.map { "\($0) AS \(column.name)" } ?? column.name
        }.joined(separator: ", ")
    }

    /// The columns for CREATE TABLE.
    var declarations: String {
        written.map { "\($0.name) \($0.declaration)" }.joined(separator: ", ")
    }

    /// Returns the statement that writes a row; the values of other columns follow those of the fields.
    func insertion(_ others: [String] = []) -> String {
        let names = written.map(\.name) + others
        return RowInsertion.replacing("\(name)(\(names.joined(separator: ", ")))", columns: names.count)
    }

    /// Returns the statement that writes several rows that are new.
    func insertion(rows: Int) -> String {
        let names = written.map(\.name)
        return RowInsertion.adding(
            rows,
            "\(name)(\(names.joined(separator: ", ")))",
            columns: names.count
        )
    }

    /// Binds the values of a record to the statement that writes a row.
    func bind(_ record: Record, to statement: Statement) {
        for value in values {
            switch value {
            case .number(let get): statement.bind(get(record))
            case .text(let get): statement.bind(get(record))
            }
        }
    }

    /// Reads the columns of ``selection`` into a record.
    func read(_ row: StoredRow, into record: inout Record) throws(StoredValueFault) {
        // A loop over the columns would copy each of them.
        for place in columns.indices {
            let index = Int32(place)
            switch columns[place].access {
            case .number(_, let set):
                let number =
                    columns[place].isRequired
                    ? try row.number(index, in: columns[place].range)
                    : try row.optionalNumber(index, in: columns[place].range)
                guard let number else { continue }
                do { try set?(&record, number) } catch { throw row.fault(index, columns[place].kind) }
            case .text(_, let set):
                let text = columns[place].isRequired ? try row.text(index) : try row.optionalText(index)
                guard let text else { continue }
                do { try set?(&record, text) } catch { throw row.fault(index, columns[place].kind) }
            }
        }
    }
}

/// The statements that write rows.
enum RowInsertion {
    /// Returns the statement that writes a row, in place of an earlier one with its number.
    static func replacing(_ table: String, columns: Int) -> String {
        "INSERT OR REPLACE INTO \(table) VALUES \(places(columns))"
    }

    /// Returns the statement that writes several rows.
    ///
    /// It fails if there is a row with the number of one, after it has written those before. So SQLite need not keep the
    /// pages that it would restore.
    static func adding(_ rows: Int, _ table: String, columns: Int) -> String {
        let rows = repeatElement(places(columns), count: rows).joined(separator: ", ")
        return "INSERT OR FAIL INTO \(table) VALUES \(rows)"
    }

    private static func places(_ columns: Int) -> String {
        "(\(repeatElement("?", count: columns).joined(separator: ", ")))"
    }
}

/// The tables of records.
enum RecordTables {
    /// The table of exchanges.
    static let exchange = RecordTable("exchange", ExchangeFields.all)
    /// The table of flows, whose last column contains the whole record as JSON.
    static let flow = RecordTable("flow", FlowFields.all)
    /// The fields of a flow that each of its exchanges shows.
    static let joinedFlow = RecordTable("flow", FlowFields.joined)
}

extension FieldColumn {
    /// Whether records are read from the column.
    fileprivate var isRead: Bool {
        switch access {
        case .number(_, let set): set != nil
        case .text(_, let set): set != nil
        }
    }

    fileprivate var kind: String { expected ?? "a value that Pinhole writes" }
}

extension ExchangeRecord {
    /// Reads a row of the table `exchange`: an exchange with empty heads, whose bodies have only lengths.
    init(row: StoredRow) throws(StoredValueFault) {
        self.init(
            id: ExchangeID(rawValue: 0),
            flow: FlowID(rawValue: 0),
            scheme: .http,
            authority: Authority(host: .name(""), port: 0),
            method: "",
            path: "",
            request: MessageRecord(head: []),
            timings: ExchangeTimings(started: Timestamp(microseconds: 0))
        )
        try RecordTables.exchange.read(row, into: &self)
    }

    /// Adds the heads, the trailers and the first part of the bodies from a row of the table `content`.
    mutating func add(content row: StoredRow) throws(StoredValueFault) {
        request.head = try row.bytes(1)
        request.body.inline = try row.bytes(2)
        request.trailers = try row.bytes(3)
        informational = HeadList.decode(try row.bytes(4))
        guard response != nil else { return }
        response?.head = try row.bytes(5)
        response?.body.inline = try row.bytes(6)
        response?.trailers = try row.bytes(7)
    }
}

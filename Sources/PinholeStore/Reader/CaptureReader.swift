import Glibc
import PinholeFilter
package import PinholeModel

/// Reads a capture, also while another process records into it.
///
/// Each call is one short read, because a long one would prevent the writer from restarting its journal. Functions that
/// read the whole capture therefore do so piece by piece.
package struct CaptureReader: Sendable {
    /// The file.
    package let path: String
    private let database: DatabaseQueue
    /// A warning for the user that the newest entries may be missing; `nil` if the capture is complete.
    package let warning: String?
    private var isCancelled: (@Sendable () -> Bool)?
    /// The time at which searches end with their results so far; `nil` for no end.
    private var deadline: ContinuousClock.Instant?
    private var examined: (@Sendable (Int64) -> Void)?

    /// Opens the capture at `path`, which is not changed.
    ///
    /// - Parameter path: The file.
    /// - Throws: ``CaptureFailure`` if the file is missing, is not a capture, or is too new.
    package init(path: String) throws(CaptureFailure) {
        self.path = path
        var status = stat()
        guard stat(path, &status) == 0 else { throw .missing(path: path) }
        // SQLite would wait for a program that writes into a pipe.
        if status.st_mode & S_IFMT == S_IFIFO { throw .notCapture(path: path, "it is a pipe") }
        // SQLite creates an empty journal if there is none.
        let hasJournal = CaptureJournal.isPresent(beside: path)
        do {
            let database = try Database(path: path, .reading)
            try database.distrust(path)
            try database.execute("PRAGMA cache_size = -2048; PRAGMA mmap_size = 0")
            try FilterFunctions.add(to: database)
            let isBegun = try database.transaction(.deferred) {
                try CaptureSchema.check(database, path: path)
                return try LostExchanges.isBegun(database)
            }
            self.database = DatabaseQueue(database, label: "pinhole.reader.database")
            warning = isBegun && !hasJournal ? CaptureJournal.warning(path) : nil
        } catch {
            throw CaptureSchema.failure(error, path: path)
        }
    }

    /// Returns a reader of the same file whose searches can be cancelled.
    ///
    /// - Parameter isCancelled: Called some hundred times a second while SQLite works, and before each row that
    ///   has to be examined. `true` ends a search with its results so far, and a statement with
    ///   ``CaptureFailure/cancelled``.
    /// - Returns: The reader, of the same file.
    package func until(_ isCancelled: @escaping @Sendable () -> Bool) -> CaptureReader {
        var reader = self
        reader.isCancelled = isCancelled
        return reader
    }

    /// Returns a reader of the same file whose searches end at a moment, with their results so far.
    package func until(_ deadline: ContinuousClock.Instant) -> CaptureReader {
        var reader = self
        reader.deadline = deadline
        return reader
    }

    /// Whether a search ends now; `nil` if nothing ends searches.
    private var isOver: (@Sendable () -> Bool)? {
        guard let deadline else { return isCancelled }
        let isCancelled = isCancelled
        return { isCancelled?() == true || ContinuousClock.now >= deadline }
    }

    /// Returns a reader of the same file that reports the progress of searches.
    ///
    /// - Parameter examined: Called with the number of a row after every few hundred rows that are examined one by one.
    /// - Returns: The reader, of the same file.
    package func telling(_ examined: @escaping @Sendable (_ id: Int64) -> Void) -> CaptureReader {
        var reader = self
        reader.examined = examined
        return reader
    }

    /// Returns the exchanges that `filter` selects.
    ///
    /// - Parameters:
    ///   - filter: The filter.
    ///   - order: The order of the exchanges.
    ///   - limit: The largest number of exchanges to return.
    /// - Returns: The exchanges, without their heads and the bytes of their bodies.
    /// - Throws: ``CaptureFailure`` if the file cannot be read.
    package func exchanges(
        _ filter: ExchangeFilter = ExchangeFilter(),
        order: CaptureOrder = .newestFirst,
        limit: Int
    ) throws(CaptureFailure) -> [ExchangeRecord] {
        let plan = FilterPlan.exchanges(filter.condition)
        guard let rest = plan.rest else { return try page(filter, plan, order, limit) }
        let judges = try ExchangeJudges(rest, self, isOver: isOver)
        var remaining = filter
        var summaries: [ExchangeRecord] = []
        try walk(by: Self.candidatesAtOnce) { (last: ExchangeRecord?) throws(CaptureFailure) in
            if order == .newestFirst { remaining.before = last?.id ?? remaining.before }
            if order == .oldestFirst { remaining.after = last?.id ?? remaining.after }
            return try page(remaining, plan, order, Self.candidatesAtOnce)
        } use: { candidates throws(CaptureFailure) in
            summaries += try judges.selected(candidates).prefix(limit - summaries.count)
            if judges.hasEnded { return false }
            if let last = candidates.last { examined?(last.id.rawValue) }
            return summaries.count < limit
        }
        return summaries
    }

    /// The number of rows from SQL that are examined one by one after a read, which must be short.
    package static let candidatesAtOnce = 500

    /// Reads rows page by page until no more are wanted.
    ///
    /// - Parameters:
    ///   - size: The number of rows of every page but the last.
    ///   - page: Reads the page after a row; the first page for `nil`.
    ///   - use: Called with each page; returns whether more rows are wanted.
    /// - Returns: Whether all rows were read.
    /// - Throws: The errors of `page` and `use`.
    @discardableResult
    func walk<Element>(
        by size: Int,
        page: (_ last: Element?) throws(CaptureFailure) -> [Element],
        use: (_ page: [Element]) throws(CaptureFailure) -> Bool
    ) throws(CaptureFailure) -> Bool {
        var last: Element?
        while true {
            let elements = try page(last)
            guard try use(elements) else { return false }
            guard elements.count == size else { return true }
            last = elements.last
        }
    }

    /// Reads all exchanges that `filter` selects, oldest first, in short reads.
    ///
    /// - Parameters:
    ///   - filter: The filter.
    ///   - use: Called with each exchange, without its heads and the bytes of its bodies; `false` ends the reading.
    /// - Throws: ``CaptureFailure`` if the file cannot be read, or the error of `use`.
    package func eachExchange(
        _ filter: ExchangeFilter,
        _ use: (ExchangeRecord) throws(CaptureFailure) -> Bool
    ) throws(CaptureFailure) {
        var filter = filter
        try walk(by: Self.candidatesAtOnce) { (last: ExchangeRecord?) throws(CaptureFailure) in
            filter.after = last?.id ?? filter.after
            return try exchanges(filter, order: .oldestFirst, limit: Self.candidatesAtOnce)
        } use: { page throws(CaptureFailure) in
            for exchange in page {
                guard try use(exchange) else { return false }
            }
            return true
        }
    }

    private func page(
        _ filter: ExchangeFilter,
        _ plan: FilterPlan,
        _ order: CaptureOrder,
        _ limit: Int
    ) throws(CaptureFailure) -> [ExchangeRecord] {
        try read { db in
            let firstID = try filter.since.flatMap { try Self.firstExchange(since: $0, db) }
            let condition = SQLCondition.all([filter.selection(firstID: firstID), plan.condition])
            let sql = """
                SELECT \(RecordTables.exchange.selection) FROM exchange WHERE \(condition.sql)
                ORDER BY id \(order.sql) LIMIT \(limit)
                """
            return try db.rows("exchange", sql, condition.values) { row in try ExchangeRecord(row: row) }
        }
    }

    /// Returns an exchange with its heads and the bytes of its bodies in the record; `body` returns all bytes.
    ///
    /// - Parameter id: The number of the exchange.
    /// - Returns: The exchange; `nil` if there is none with this number, or if it was removed.
    /// - Throws: ``CaptureFailure`` if the file cannot be read.
    package func exchange(_ id: ExchangeID) throws(CaptureFailure) -> ExchangeRecord? {
        try read { db in try Self.exchange(id, db) }
    }

    /// Returns exchanges as ``exchange(_:)`` does, all of them in one read.
    ///
    /// - Parameter ids: The numbers of a few exchanges.
    /// - Returns: The exchanges; `nil` for each that does not exist or was removed.
    /// - Throws: ``CaptureFailure`` if the file cannot be read.
    package func exchanges(_ ids: [ExchangeID]) throws(CaptureFailure) -> [ExchangeRecord?] {
        try read { db in try ids.map { id in try Self.exchange(id, db) } }
    }

    private static func exchange(_ id: ExchangeID, _ db: Database) throws -> ExchangeRecord? {
        // Searches run this query for each exchange, and preparing it would take longer than running it.
        let exchange = "SELECT \(RecordTables.exchange.selection) FROM exchange WHERE id = ?"
        guard
            var record = try db.row(
                "exchange",
                exchange,
                [.number(id.rawValue)],
                isKept: true,
                ExchangeRecord.init(row:)
            ),
            try db.row(
                "content",
                "SELECT * FROM content WHERE id = ?",
                [.number(id.rawValue)],
                isKept: true,
                { row in try record.add(content: row) }
            ) != nil
        else { return nil }
        if record.notes.contains(.ruled) {
            let hits = "SELECT id, hits FROM ruling WHERE id = ?"
            record.rules =
                try db.row("ruling", hits, [.number(id.rawValue)], isKept: true) { row in
                    RuleHitCoder.decode(try row.text(1))
                } ?? []
        }
        // The pieces of a stream are written as they arrive, its record only at intervals.
        if record.outcome == nil { try addPieces(to: &record, db) }
        return record
    }

    /// Returns the flows that `filter` selects.
    ///
    /// - Parameters:
    ///   - filter: The filter.
    ///   - order: The order of the flows.
    ///   - limit: The largest number of flows to return.
    /// - Returns: The complete flows.
    /// - Throws: ``CaptureFailure`` if the file cannot be read.
    package func flows(
        _ filter: FlowFilter = FlowFilter(),
        order: CaptureOrder = .newestFirst,
        limit: Int
    ) throws(CaptureFailure) -> [FlowRecord] {
        let plan = FilterPlan.flows(filter.condition)
        guard let rest = plan.rest else { return try page(filter, plan, order, limit) }
        var judge = FilterJudge(rest)
        let asksForNotes = rest.root.asksForNotes
        let isOver = isOver
        var remaining = filter
        var flows: [FlowRecord] = []
        try walk(by: Self.candidatesAtOnce) { (last: FlowRecord?) throws(CaptureFailure) in
            if order == .newestFirst { remaining.before = last?.id ?? remaining.before }
            if order == .oldestFirst { remaining.after = last?.id ?? remaining.after }
            return try page(remaining, plan, order, Self.candidatesAtOnce)
        } use: { candidates throws(CaptureFailure) in
            for candidate in candidates where flows.count < limit {
                if isOver?() == true { return false }
                var facts = RecordFacts(exchange: nil, flow: candidate)
                if asksForNotes {
                    let note = try note(candidate.id.rawValue)
                    (facts.isMarked, facts.comment) = (note.isMarked, note.comment)
                }
                if judge.judge(&facts) == .yes { flows.append(candidate) }
            }
            if let last = candidates.last { examined?(last.id.rawValue) }
            return flows.count < limit
        }
        return flows
    }

    private func page(
        _ filter: FlowFilter,
        _ plan: FilterPlan,
        _ order: CaptureOrder,
        _ limit: Int
    ) throws(CaptureFailure) -> [FlowRecord] {
        try read { db in
            let condition = SQLCondition.all([filter.selection, plan.condition])
            let sql = """
                SELECT id, record FROM flow WHERE \(condition.sql) ORDER BY id \(order.sql)
                LIMIT \(limit)
                """
            return try db.rows("flow", sql, condition.values) { row in
                try FlowCoder.decode(row) { try Self.certificate($0, db) }
            }
        }
    }

    /// Returns a flow.
    ///
    /// - Parameter id: The number of the flow.
    /// - Returns: The flow; `nil` if there is none with this number, or if it was removed.
    /// - Throws: ``CaptureFailure`` if the file cannot be read.
    package func flow(_ id: FlowID) throws(CaptureFailure) -> FlowRecord? {
        try read { db in
            let sql = "SELECT id, record FROM flow WHERE id = ?"
            return try db.row("flow", sql, [.number(id.rawValue)], isKept: true) { row in
                try FlowCoder.decode(row) { try Self.certificate($0, db) }
            }
        }
    }

    /// Returns the certificates of all flows, each once, as DER.
    ///
    /// - Returns: The certificates, in the order in which they were first seen.
    /// - Throws: ``CaptureFailure`` if the file cannot be read.
    package func certificates() throws(CaptureFailure) -> [[UInt8]] {
        try read { db in
            try db.rows("certificate", "SELECT id, der FROM certificate ORDER BY id") { row in
                try row.bytes(1)
            }
        }
    }

    /// The number of bytes of the file and its journal.
    var storedBytes: Int64 {
        ["", CaptureJournal.ending].reduce(0) { sum, ending in
            var facts = stat()
            return stat(path + ending, &facts) == 0 ? sum.addingClamped(Int64(facts.st_size)) : sum
        }
    }

    /// Counts the contents of the capture.
    ///
    /// - Returns: The counts, bytes and times.
    /// - Throws: ``CaptureFailure`` if the file cannot be read.
    package func statistics() throws(CaptureFailure) -> CaptureStatistics {
        try read { db in try CaptureStatistics(db) }
    }

    func read<Value>(_ work: (Database) throws -> Value) throws(CaptureFailure) -> Value {
        do {
            return try database.read { db in
                guard let isCancelled else { return try work(db) }
                return try db.interrupted(by: isCancelled) { try work(db) }
            }
        } catch {
            throw CaptureSchema.failure(error, path: path)
        }
    }

    private static func certificate(_ id: Int64, _ db: Database) throws -> [UInt8]? {
        let sql = "SELECT id, der FROM certificate WHERE id = ?"
        return try db.row("certificate", sql, [.number(id)], isKept: true) { row in try row.bytes(1) }
    }

    /// Returns a number such that no exchange since `moment` has a lower one.
    ///
    /// The number is found by bisection, because numbers grow with time. The result is `nil` if something was imported,
    /// which may be older than exchanges with lower numbers.
    static func firstExchange(since moment: Timestamp, _ db: Database) throws -> Int64? {
        guard try CaptureSchema.isOrdered(db) else { return nil }
        // An exchange gets its number when its head is complete, up to half a minute after the first byte.
        let early = (moment - .seconds(60)).microseconds
        let ends = try db.row(
            "exchange",
            "SELECT coalesce(min(id), 0), coalesce(max(id), 0) FROM exchange"
        ) { row in (first: try row.id(0), last: try row.id(1)) }
        var low = ends?.first ?? 0
        var high = (ends?.last ?? 0) + 1
        let sql = "SELECT id, started FROM exchange WHERE id >= ? ORDER BY id LIMIT 1"
        while low < high {
            let middle = low + (high - low) / 2
            let early = try db.row("exchange", sql, [.number(middle)], isKept: true) { row in
                try row.number(1) < early ? try row.id(0) : nil
            }
            if let early = early ?? nil {
                low = max(middle, early) + 1
            } else {
                high = middle
            }
        }
        return low
    }
}

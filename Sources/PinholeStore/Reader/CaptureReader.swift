import GRDB
import Glibc
import PinholeFilter
package import PinholeModel

/// Reads a capture, also while another process records into it.
///
/// Each call is one short read: a long one would keep the writer from starting its journal anew.
/// What walks over the whole capture therefore asks for it piece by piece.
package struct CaptureReader: Sendable {
    let path: String
    private let database: DatabaseQueue
    /// What is to be said of the capture; `nil` where it is whole.
    package let warning: String?
    private var isCancelled: (@Sendable () -> Bool)?
    private var examined: (@Sendable (Int64) -> Void)?

    /// Opens the capture at `path`, which is not changed.
    ///
    /// - Parameter path: The file.
    /// - Throws: ``CaptureFailure`` when there is none, it is something else or too new.
    package init(path: String) throws(CaptureFailure) {
        self.path = path
        guard access(path, F_OK) == 0 else { throw .missing(path: path) }
        var configuration = Configuration()
        configuration.label = "pinhole.reader"
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { db in
            try db.distrust(path)
            try db.execute(sql: "PRAGMA cache_size = -2048; PRAGMA mmap_size = 0")
            try FilterFunctions.add(to: db)
        }
        // SQLite makes an empty one where there is none.
        let hasJournal = CaptureJournal.isPresent(beside: path)
        do {
            database = try DatabaseQueue(path: path, configuration: configuration)
            let isBegun = try database.read { db in
                try CaptureSchema.check(db, path: path)
                return try LostExchanges.isBegun(db)
            }
            warning = isBegun && !hasJournal ? CaptureJournal.warning(path) : nil
        } catch {
            throw CaptureSchema.failure(error, path: path)
        }
    }

    /// A reader of the same file whose searches can be cancelled.
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

    /// A reader of the same file that says how far a search is.
    ///
    /// - Parameter examined: Called with the number of a row after every few hundred rows that were examined one by one.
    /// - Returns: The reader, of the same file.
    package func telling(_ examined: @escaping @Sendable (_ id: Int64) -> Void) -> CaptureReader {
        var reader = self
        reader.examined = examined
        return reader
    }

    /// The exchanges that `filter` means.
    ///
    /// - Parameters:
    ///   - filter: Which are meant.
    ///   - order: Which come first.
    ///   - limit: How many at most.
    /// - Returns: Their summaries.
    /// - Throws: ``CaptureFailure`` when the file cannot be read.
    package func exchanges(
        _ filter: ExchangeFilter = ExchangeFilter(),
        order: CaptureOrder = .newestFirst,
        limit: Int
    ) throws(CaptureFailure) -> [ExchangeSummary] {
        let plan = FilterPlan.exchanges(filter.condition)
        guard let rest = plan.rest else { return try page(filter, plan, order, limit) }
        var judge = FilterJudge(rest)
        let flows = FlowMemory()
        var remaining = filter
        var summaries: [ExchangeSummary] = []
        try walk(by: Self.candidatesAtOnce) { (last: ExchangeSummary?) throws(CaptureFailure) in
            if order == .newestFirst { remaining.before = last?.id ?? remaining.before }
            if order == .oldestFirst { remaining.after = last?.id ?? remaining.after }
            return try page(remaining, plan, order, Self.candidatesAtOnce)
        } use: { candidates throws(CaptureFailure) in
            let heads = HeadPage(candidates)
            for candidate in candidates where summaries.count < limit {
                if isCancelled?() == true { return false }
                var facts = CapturedFacts(candidate, self, flows, heads)
                if try judge.judge(&facts) == .yes { summaries.append(candidate) }
            }
            if let last = candidates.last { examined?(last.id.rawValue) }
            return summaries.count < limit
        }
        return summaries
    }

    /// Rows that SQL lets through and that are then looked at one by one; a read should be short.
    private static let candidatesAtOnce = 500

    /// Goes through rows page by page, while more is wanted.
    ///
    /// - Parameters:
    ///   - size: How many rows a page has that is not the last one.
    ///   - page: Reads the page behind a row; the first one behind `nil`.
    ///   - use: Is given each page; says whether more is wanted.
    /// - Returns: Whether it came to the end.
    /// - Throws: What `page` and `use` throw.
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

    private func page(
        _ filter: ExchangeFilter,
        _ plan: FilterPlan,
        _ order: CaptureOrder,
        _ limit: Int
    ) throws(CaptureFailure) -> [ExchangeSummary] {
        try read { db in
            let firstID = try filter.since.flatMap { try Self.firstExchange(since: $0, db) }
            let condition = SQLCondition.all([filter.selection(firstID: firstID), plan.condition])
            let sql = """
                SELECT \(try Self.exchangeColumns(db)) FROM exchange WHERE \(try condition.sql(in: db))
                ORDER BY id \(order.sql) LIMIT \(limit)
                """
            return try db.rows("exchange", sql, condition.arguments) { row in try ExchangeSummary(row: row) }
        }
    }

    /// One exchange with its heads and the bytes of the bodies that lie in the record; `body` has all.
    ///
    /// - Parameter id: The number of the exchange.
    /// - Returns: The exchange; `nil` when there is none with this number (any more).
    /// - Throws: ``CaptureFailure`` when the file cannot be read.
    package func exchange(_ id: ExchangeID) throws(CaptureFailure) -> ExchangeRecord? {
        try read { db in
            let columns = try Self.exchangeColumns(db)
            // Walks over a capture ask this of each exchange: preparing it would take longer than the answer.
            let exchange = "SELECT \(columns) FROM exchange WHERE id = ?"
            let summary = try db.row("exchange", exchange, [id.rawValue], isKept: true) { row in
                try ExchangeSummary(row: row)
            }
            let content = "SELECT * FROM content WHERE id = ?"
            guard let summary,
                var record = try db.row(
                    "content",
                    content,
                    [id.rawValue],
                    isKept: true,
                    { row in try ExchangeRecord(summary, content: row) }
                )
            else { return nil }
            if record.notes.contains(.ruled) {
                let hits = "SELECT id, hits FROM ruling WHERE id = ?"
                record.rules =
                    try db.row("ruling", hits, [id.rawValue], isKept: true) { row in
                        RuleHitCoder.decode(try row.text(1))
                    } ?? []
            }
            // A stream's pieces are written as they come, its record once in a while.
            if record.outcome == nil { try Self.addPieces(to: &record, db) }
            return record
        }
    }

    /// The flows that `filter` means.
    ///
    /// - Parameters:
    ///   - filter: Which are meant.
    ///   - order: Which come first.
    ///   - limit: How many at most.
    /// - Returns: The flows, whole.
    /// - Throws: ``CaptureFailure`` when the file cannot be read.
    package func flows(
        _ filter: FlowFilter = FlowFilter(),
        order: CaptureOrder = .newestFirst,
        limit: Int
    ) throws(CaptureFailure) -> [FlowRecord] {
        let plan = FilterPlan.flows(filter.condition)
        guard let rest = plan.rest else { return try page(filter, plan, order, limit) }
        var judge = FilterJudge(rest)
        let asksForNotes = rest.root.asksForNotes
        var remaining = filter
        var flows: [FlowRecord] = []
        try walk(by: Self.candidatesAtOnce) { (last: FlowRecord?) throws(CaptureFailure) in
            if order == .newestFirst { remaining.before = last?.id ?? remaining.before }
            if order == .oldestFirst { remaining.after = last?.id ?? remaining.after }
            return try page(remaining, plan, order, Self.candidatesAtOnce)
        } use: { candidates throws(CaptureFailure) in
            for candidate in candidates where flows.count < limit {
                if isCancelled?() == true { return false }
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
            // The sign keeps SQLite from walking all of them in order, where few were closed lately.
            let key = filter.closedSince == nil ? "id" : "+id"
            let sql = """
                SELECT id, record FROM flow WHERE \(try condition.sql(in: db)) ORDER BY \(key) \(order.sql)
                LIMIT \(limit)
                """
            let coder = FlowCoder()
            return try db.rows("flow", sql, condition.arguments) { row in
                try coder.decode(row) { try Self.certificate($0, db) }
            }
        }
    }

    /// One flow.
    ///
    /// - Parameter id: The number of the flow.
    /// - Returns: The flow; `nil` when there is none with this number (any more).
    /// - Throws: ``CaptureFailure`` when the file cannot be read.
    package func flow(_ id: FlowID) throws(CaptureFailure) -> FlowRecord? {
        try read { db in
            let sql = "SELECT id, record FROM flow WHERE id = ?"
            return try db.row("flow", sql, [id.rawValue], isKept: true) { row in
                try FlowCoder().decode(row) { try Self.certificate($0, db) }
            }
        }
    }

    /// Every certificate that the flows show, each once, DER.
    ///
    /// - Returns: The certificates, in the order in which they were first seen.
    /// - Throws: ``CaptureFailure`` when the file cannot be read.
    package func certificates() throws(CaptureFailure) -> [[UInt8]] {
        try read { db in
            try db.rows("certificate", "SELECT id, der FROM certificate ORDER BY id") { row in
                try row.bytes(1)
            }
        }
    }

    /// Bytes of the file and its journal.
    var storedBytes: Int64 {
        ["", CaptureJournal.ending].reduce(0) { sum, ending in
            var facts = stat()
            return stat(path + ending, &facts) == 0 ? sum.addingClamped(Int64(facts.st_size)) : sum
        }
    }

    /// How much the capture holds.
    ///
    /// - Returns: Counts, bytes, first and last.
    /// - Throws: ``CaptureFailure`` when the file cannot be read.
    package func statistics() throws(CaptureFailure) -> CaptureStatistics {
        try read { db in try CaptureStatistics(db) }
    }

    /// A writer brings an old file up to date while it is being read.
    private static func exchangeColumns(_ db: Database) throws -> String {
        ExchangeSummary.columns(
            hasMessages: try CaptureSchema.hasMessages(db),
            hasUsers: try CaptureSchema.hasUsers(db)
        )
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
        return try db.row("certificate", sql, [id], isKept: true) { row in try row.bytes(1) }
    }

    /// A number that no exchange since `moment` is below; found by bisection, since numbers grow with time; `nil`
    /// where something was imported, which may be older than what was there.
    static func firstExchange(since moment: Timestamp, _ db: Database) throws -> Int64? {
        guard try CaptureSchema.isOrdered(db) else { return nil }
        // A number is given when the head is complete, which may be half a minute after the first byte.
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
            let early = try db.row("exchange", sql, [middle], isKept: true) { row in
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

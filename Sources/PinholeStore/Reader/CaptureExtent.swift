import GRDB

/// How much a capture holds, as far as it can be told quickly.
package struct CaptureExtent: Sendable, Equatable {
    /// Exchanges.
    package var exchanges = 0
    /// Flows.
    package var flows = 0
    /// Flows that are spare connections, which lists leave out.
    package var spares = 0
    /// The lowest number; 0 where there is nothing.
    package var first: Int64 = 0
    /// The highest number; 0 where there is nothing.
    package var last: Int64 = 0
    /// Bytes of the file, without the journal.
    package var bytes: Int64 = 0
    private var lastExchange: Int64 = 0
    private var lastFlow: Int64 = 0
}

extension CaptureExtent {
    /// Counts what came since an earlier count, or all where something was removed since.
    init(_ db: Database, since earlier: CaptureExtent?) throws {
        let ends = try db.row(
            "exchange",
            """
            SELECT coalesce((SELECT min(id) FROM exchange), 0), coalesce((SELECT max(id) FROM exchange), 0),
                coalesce((SELECT min(id) FROM flow), 0), coalesce((SELECT max(id) FROM flow), 0)
            """
        ) { row in try (0...3).map { try row.id($0) } }
        lastExchange = ends?[1] ?? 0
        lastFlow = ends?[3] ?? 0
        first = [ends?[0] ?? 0, ends?[2] ?? 0].filter { $0 > 0 }.min() ?? 0
        last = max(lastExchange, lastFlow)
        let base = earlier.flatMap { $0.first == first && $0.last <= last ? $0 : nil } ?? CaptureExtent()
        exchanges =
            base.exchanges
            + Int(
                try db.number(
                    "exchange",
                    "SELECT count(*) FROM exchange WHERE id > ?",
                    [base.lastExchange]
                ) ?? 0
            )
        flows =
            base.flows
            + Int(try db.number("flow", "SELECT count(*) FROM flow WHERE id > ?", [base.lastFlow]) ?? 0)
        // The index makes the cost proportional to the number of spare connections.
        if try CaptureSchema.hasSpares(db) {
            let sql = "SELECT count(*) FROM flow WHERE \(FlowFilter.isSpare)"
            spares = Int(try db.number("flow", sql) ?? 0)
        }
        bytes = try CaptureSchema.fileBytes(db)
    }
}

extension CaptureReader {
    /// How much the capture holds.
    ///
    /// - Parameter earlier: What was counted before; only what came since is counted.
    /// - Returns: The extent.
    /// - Throws: ``CaptureFailure`` when the file cannot be read.
    package func extent(since earlier: CaptureExtent? = nil) throws(CaptureFailure) -> CaptureExtent {
        try read { db in try CaptureExtent(db, since: earlier) }
    }
}

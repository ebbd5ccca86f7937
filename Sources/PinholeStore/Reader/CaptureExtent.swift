/// The amount of data in a capture, as far as it can be counted quickly.
package struct CaptureExtent: Sendable, Equatable {
    /// The number of exchanges.
    package var exchanges = 0
    /// The number of flows.
    package var flows = 0
    /// The number of flows that are spare connections, which lists leave out.
    package var spares = 0
    /// The lowest number of an exchange or flow; 0 in an empty capture.
    package var first: Int64 = 0
    /// The highest number of an exchange or flow; 0 in an empty capture.
    package var last: Int64 = 0
    /// The number of bytes of the file, without the journal.
    package var bytes: Int64 = 0
    private var lastExchange: Int64 = 0
    private var lastFlow: Int64 = 0
    private var revision: Int64 = 0
}

extension CaptureExtent {
    /// Counts the rows that were added since an earlier count, or all rows if some were removed since.
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
        let base =
            try earlier.flatMap { earlier in
                try earlier.first == first && earlier.last <= last
                    && !ChangeLog.hasRemovals(after: earlier.revision, db) ? earlier : nil
            } ?? CaptureExtent()
        revision = try ChangeLog.revision(db)
        exchanges =
            base.exchanges
            + Int(
                try db.number(
                    "exchange",
                    "SELECT count(*) FROM exchange WHERE id > ?",
                    [.number(base.lastExchange)]
                ) ?? 0
            )
        flows =
            base.flows
            + Int(
                try db.number("flow", "SELECT count(*) FROM flow WHERE id > ?", [.number(base.lastFlow)]) ?? 0
            )
        // The index makes the cost proportional to the number of spare connections.
        let sql = "SELECT count(*) FROM flow WHERE \(FlowFilter.isSpare)"
        spares = Int(try db.number("flow", sql) ?? 0)
        bytes = try CaptureSchema.fileBytes(db)
    }
}

extension CaptureReader {
    /// Returns the amount of data in the capture.
    ///
    /// - Parameter earlier: An earlier count; only newer rows are then counted.
    /// - Returns: The extent.
    /// - Throws: ``CaptureFailure`` if the file cannot be read.
    package func extent(since earlier: CaptureExtent? = nil) throws(CaptureFailure) -> CaptureExtent {
        try read { db in try CaptureExtent(db, since: earlier) }
    }
}

import GRDB
package import PinholeModel

/// How much a capture holds.
package struct CaptureStatistics: Sendable, Equatable {
    /// The number of flows.
    package var flows: Int
    /// The number of flows that failed, or in which a handshake failed.
    package var failedFlows: Int
    /// The number of exchanges.
    package var exchanges: Int
    /// The number of distinct certificates.
    package var certificates: Int
    /// The true length of all bodies, captured or not.
    package var bodyBytes: Int64
    /// The bytes of bodies that were captured.
    package var capturedBytes: Int64
    /// What the capture takes in its file, without the journal.
    package var fileBytes: Int64
    /// When the oldest flow was opened.
    package var first: Timestamp?
    /// When the newest exchange or flow started.
    package var last: Timestamp?

    init(_ db: Database) throws {
        let exchanges = try Row.fetchOne(
            db,
            sql: """
                SELECT count(*), coalesce(sum(request_length + response_length), 0),
                    coalesce(sum(request_captured + response_captured), 0), min(started), max(started)
                FROM exchange
                """
        )
        let flows = try Row.fetchOne(
            db,
            sql: "SELECT count(*), coalesce(sum(failed), 0), min(opened), max(opened) FROM flow"
        )
        let pages = try Int64.fetchOne(db, sql: "PRAGMA page_count") ?? 0
        self.exchanges = exchanges?[0] ?? 0
        bodyBytes = exchanges?[1] ?? 0
        capturedBytes = exchanges?[2] ?? 0
        self.flows = flows?[0] ?? 0
        failedFlows = flows?[1] ?? 0
        certificates = try Int.fetchOne(db, sql: "SELECT count(*) FROM certificate") ?? 0
        fileBytes = pages * (try Int64.fetchOne(db, sql: "PRAGMA page_size") ?? 0)
        let moments = [flows?[2], flows?[3], exchanges?[3], exchanges?[4]].compactMap { $0 as Int64? }
        first = moments.min().map(Timestamp.init(microseconds:))
        last = moments.max().map(Timestamp.init(microseconds:))
    }
}

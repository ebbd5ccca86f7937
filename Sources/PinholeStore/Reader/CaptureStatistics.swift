package import PinholeModel

/// Counts of the contents of a capture.
package struct CaptureStatistics: Sendable, Equatable {
    /// The number of flows.
    package var flows: Int
    /// The number of flows that failed, or in which a handshake failed.
    package var failedFlows: Int
    /// The number of exchanges.
    package var exchanges: Int
    /// The number of distinct certificates.
    package var certificates: Int
    /// The true length of all bodies in bytes, whether captured or not.
    package var bodyBytes: Int64
    /// The number of body bytes that were captured.
    package var capturedBytes: Int64
    /// The number of bytes of the file, without the journal.
    package var fileBytes: Int64
    /// The time at which the oldest exchange or flow began; `nil` in an empty capture.
    package var first: Timestamp?
    /// The time at which the newest exchange or flow began; `nil` in an empty capture.
    package var last: Timestamp?

    init(_ db: Database) throws {
        var moments: [Int64?] = []
        // `sum()` fails if the numbers in a file are too large; `total()` is exact up to 8 PiB.
        let exchanges = try db.row(
            "exchange",
            """
            SELECT count(*), total(request_length) + total(response_length),
                total(request_captured) + total(response_captured), min(started), max(started)
            FROM exchange
            """
        ) { row in
            moments += try [row.optionalNumber(3), row.optionalNumber(4)]
            return (count: Int(try row.length(0)), body: row.total(1), captured: row.total(2))
        }
        let flows = try db.row(
            "flow",
            "SELECT count(*), count(CASE WHEN failed THEN 1 END), min(opened), max(opened) FROM flow"
        ) { row in
            moments += try [row.optionalNumber(2), row.optionalNumber(3)]
            return (count: Int(try row.length(0)), failed: Int(try row.length(1)))
        }
        self.exchanges = exchanges?.count ?? 0
        bodyBytes = exchanges?.body ?? 0
        capturedBytes = exchanges?.captured ?? 0
        self.flows = flows?.count ?? 0
        failedFlows = flows?.failed ?? 0
        certificates = Int(try db.number("certificate", "SELECT count(*) FROM certificate") ?? 0)
        fileBytes = try CaptureSchema.fileBytes(db)
        let known = moments.compactMap(\.self)
        first = known.min().map(Timestamp.init(microseconds:))
        last = known.max().map(Timestamp.init(microseconds:))
    }
}

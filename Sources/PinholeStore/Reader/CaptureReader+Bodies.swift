import GRDB
package import PinholeModel

extension CaptureReader {
    /// Hands out the captured bytes of a body that follow those in its record, part by part.
    ///
    /// - Parameters:
    ///   - id: The number of the exchange.
    ///   - owner: Whose body.
    ///   - use: Is given the parts, in order; false ends it.
    /// - Throws: ``CaptureFailure`` when the file cannot be read, or what `use` throws.
    package func bodyParts(
        _ id: ExchangeID,
        _ owner: BodyOwner,
        _ use: ([UInt8]) throws(CaptureFailure) -> Bool
    ) throws(CaptureFailure) {
        try bodyPieces(id, owner) { part, _ throws(CaptureFailure) in try use(part) }
    }

    /// Hands out the captured bytes of a body that follow those in its record, part by part, with the time
    /// at which each was there where the body is a stream.
    ///
    /// - Parameters:
    ///   - id: The number of the exchange.
    ///   - owner: Whose body.
    ///   - use: Is given the parts, in order; false ends it.
    /// - Throws: ``CaptureFailure`` when the file cannot be read, or what `use` throws.
    package func bodyPieces(
        _ id: ExchangeID,
        _ owner: BodyOwner,
        _ use: ([UInt8], Timestamp?) throws(CaptureFailure) -> Bool
    ) throws(CaptureFailure) {
        var last: Int64 = 0
        while true {
            let parts = try parts(id, owner, after: last)
            guard let end = parts.last?.id else { return }
            last = end
            for part in parts {
                guard try use(part.bytes, part.arrived) else { return }
            }
        }
    }

    /// All captured bytes of a body, in one array.
    ///
    /// - Parameters:
    ///   - record: The exchange, as `exchange` gave it.
    ///   - owner: Whose body.
    ///   - limit: How many bytes at most.
    /// - Returns: The bytes; fewer than were captured only where `limit` says so.
    /// - Throws: ``CaptureFailure`` when the file cannot be read.
    package func body(
        of record: ExchangeRecord,
        _ owner: BodyOwner,
        limit: Int = .max
    ) throws(CaptureFailure) -> [UInt8] {
        guard let body = owner == .request ? record.request.body : record.response?.body else { return [] }
        var bytes = Array(body.inline.prefix(limit))
        guard body.capturedLength > body.inline.count, bytes.count < limit else { return bytes }
        try bodyParts(record.id, owner) { part throws(CaptureFailure) in
            bytes.append(contentsOf: part.prefix(limit - bytes.count))
            return bytes.count < limit
        }
        return bytes
    }

    /// Some of the captured bytes of a body.
    ///
    /// - Parameters:
    ///   - record: The exchange, as `exchange` gave it.
    ///   - owner: Whose body.
    ///   - range: Which bytes.
    /// - Returns: The bytes; fewer where there are no more.
    /// - Throws: ``CaptureFailure`` when the file cannot be read.
    package func body(
        of record: ExchangeRecord,
        _ owner: BodyOwner,
        range: Range<Int64>
    ) throws(CaptureFailure) -> [UInt8] {
        guard let body = owner == .request ? record.request.body : record.response?.body else { return [] }
        var bytes = Self.cut(body.inline, at: 0, to: range)
        var offset = Int64(body.inline.count)
        guard range.upperBound > offset else { return bytes }
        try bodyParts(record.id, owner) { part throws(CaptureFailure) in
            bytes.append(contentsOf: Self.cut(part, at: offset, to: range))
            offset += Int64(part.count)
            return offset < range.upperBound
        }
        return bytes
    }

    /// What of a piece that begins at `offset` lies in `range`.
    private static func cut(_ piece: [UInt8], at offset: Int64, to range: Range<Int64>) -> [UInt8] {
        let wanted = range.clamped(to: offset..<offset + Int64(piece.count))
        return Array(piece[Int(wanted.lowerBound - offset)..<Int(wanted.upperBound - offset)])
    }

    /// When the pieces of a body were there, as far as it was recorded as a stream.
    ///
    /// - Parameters:
    ///   - record: The exchange, as `exchange` gave it.
    ///   - owner: Whose body.
    /// - Returns: The pieces, in order; the first may lie behind the beginning.
    /// - Throws: ``CaptureFailure`` when the file cannot be read.
    package func arrivals(
        of record: ExchangeRecord,
        _ owner: BodyOwner
    ) throws(CaptureFailure) -> [BodyArrival] {
        guard let body = owner == .request ? record.request.body : record.response?.body else { return [] }
        return try read { db in
            guard try Self.hasArrivals(db) else { return [] }
            let sql = """
                SELECT id, length(bytes), arrived FROM body_part WHERE exchange = ? AND owner = ? ORDER BY id
                """
            var offset = Int64(body.inline.count)
            var arrivals: [BodyArrival] = []
            let arguments: StatementArguments = [record.id.rawValue, BodyOwnerCode(owner).rawValue]
            try db.walk("body_part", sql, arguments) { row in
                if let arrived = try row.optionalNumber(2) {
                    arrivals.append(BodyArrival(offset: offset, time: Timestamp(microseconds: arrived)))
                }
                offset = offset.addingClamped(try row.length(1))
                return true
            }
            return arrivals
        }
    }

    private struct Part {
        var id: Int64
        var bytes: [UInt8]
        var arrived: Timestamp?
    }

    /// Bytes of parts that are read at once; a stream has thousands of a few bytes.
    static let bytesAtOnce = 1 << 20

    private func parts(
        _ id: ExchangeID,
        _ owner: BodyOwner,
        after last: Int64
    ) throws(CaptureFailure) -> [Part] {
        try read { db in
            let arrived = try Self.hasArrivals(db) ? "arrived" : "NULL"
            let sql = """
                SELECT id, bytes, \(arrived) FROM body_part WHERE exchange = ? AND owner = ? AND id > ? ORDER BY id
                """
            let arguments: StatementArguments = [id.rawValue, BodyOwnerCode(owner).rawValue, last]
            var parts: [Part] = []
            var count = 0
            try db.walk("body_part", sql, arguments, isKept: true) { row in
                let bytes = try row.bytes(1)
                count += bytes.count
                let moment = try row.optionalNumber(2).map(Timestamp.init(microseconds:))
                parts.append(Part(id: try row.id(0), bytes: bytes, arrived: moment))
                return count < Self.bytesAtOnce
            }
            return parts
        }
    }

    /// Schemas before 3 kept no times.
    private static func hasArrivals(_ db: Database) throws -> Bool {
        // GRDB remembers which columns there were; another process may have added this one.
        let sql = "SELECT count(*) FROM pragma_table_info('body_part') WHERE name = 'arrived'"
        return try db.number("body_part", sql, isKept: true) == 1
    }

    static func addPieces(to record: inout ExchangeRecord, _ db: Database) throws {
        for owner in [BodyOwner.request, .response] {
            guard var body = owner == .request ? record.request.body : record.response?.body else { continue }
            let count = try db.number(
                "body_part",
                "SELECT coalesce(sum(length(bytes)), 0) FROM body_part WHERE exchange = ? AND owner = ?",
                [record.id.rawValue, BodyOwnerCode(owner).rawValue]
            )
            body.capturedLength = max(body.capturedLength, Int64(body.inline.count).addingClamped(count ?? 0))
            body.length = max(body.length, body.capturedLength)
            if owner == .request { record.request.body = body } else { record.response?.body = body }
        }
    }
}

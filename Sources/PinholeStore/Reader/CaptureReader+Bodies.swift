package import PinholeModel

extension CaptureReader {
    /// Reads the captured bytes of a body that are not in its record, part by part.
    ///
    /// - Parameters:
    ///   - id: The number of the exchange.
    ///   - owner: The message of the body.
    ///   - use: Called with the parts, in order; `false` ends the reading.
    /// - Throws: ``CaptureFailure`` if the file cannot be read, or the error of `use`.
    package func bodyParts(
        _ id: ExchangeID,
        _ owner: BodyOwner,
        _ use: ([UInt8]) throws(CaptureFailure) -> Bool
    ) throws(CaptureFailure) {
        try bodyPieces(id, owner) { part, _ throws(CaptureFailure) in try use(part) }
    }

    /// Reads the captured bytes of a body that are not in its record, with the times of a stream.
    ///
    /// - Parameters:
    ///   - id: The number of the exchange.
    ///   - owner: The message of the body.
    ///   - use: Called with each part, in order, and with the time of its arrival if the body is a stream; `false` ends
    ///     the reading.
    /// - Throws: ``CaptureFailure`` if the file cannot be read, or the error of `use`.
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

    /// Returns all captured bytes of a body, in one array.
    ///
    /// - Parameters:
    ///   - record: The exchange, as `exchange` returned it.
    ///   - owner: The message of the body.
    ///   - limit: The largest number of bytes to return.
    /// - Returns: The bytes; all that were captured, up to `limit`.
    /// - Throws: ``CaptureFailure`` if the file cannot be read.
    package func body(
        of record: ExchangeRecord,
        _ owner: BodyOwner,
        limit: Int = .max
    ) throws(CaptureFailure) -> [UInt8] {
        guard let body = owner == .request ? record.request.body : record.response?.body else { return [] }
        var bytes = body.inline.count <= limit ? body.inline : Array(body.inline.prefix(limit))
        guard body.capturedLength > body.inline.count, bytes.count < limit else { return bytes }
        try bodyParts(record.id, owner) { part throws(CaptureFailure) in
            bytes.append(contentsOf: part.prefix(limit - bytes.count))
            return bytes.count < limit
        }
        return bytes
    }

    /// Returns a range of the captured bytes of a body.
    ///
    /// - Parameters:
    ///   - record: The exchange, as `exchange` returned it.
    ///   - owner: The message of the body.
    ///   - range: The range of bytes.
    /// - Returns: The bytes; fewer if the captured bytes end before the range does.
    /// - Throws: ``CaptureFailure`` if the file cannot be read.
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

    /// Returns the bytes in `range` of a piece that begins at `offset`.
    private static func cut(_ piece: [UInt8], at offset: Int64, to range: Range<Int64>) -> [UInt8] {
        let wanted = range.clamped(to: offset..<offset + Int64(piece.count))
        return Array(piece[Int(wanted.lowerBound - offset)..<Int(wanted.upperBound - offset)])
    }

    /// Returns the times at which the pieces of a body arrived, if it was recorded as a stream.
    ///
    /// - Parameters:
    ///   - record: The exchange, as `exchange` returned it.
    ///   - owner: The message of the body.
    /// - Returns: The pieces, in order; the first may begin after the start of the body.
    /// - Throws: ``CaptureFailure`` if the file cannot be read.
    package func arrivals(
        of record: ExchangeRecord,
        _ owner: BodyOwner
    ) throws(CaptureFailure) -> [BodyArrival] {
        guard let body = owner == .request ? record.request.body : record.response?.body else { return [] }
        return try read { db in
            let sql = """
                SELECT id, length(bytes), arrived FROM body_part WHERE exchange = ? AND owner = ? ORDER BY id
                """
            var offset = Int64(body.inline.count)
            var arrivals: [BodyArrival] = []
            let values = [.number(record.id.rawValue), .number(BodyOwnerCode(owner).rawValue)] as [SQLValue]
            try db.walk("body_part", sql, values) { row in
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

    /// The number of bytes of parts in one read; a stream may have thousands of parts of a few bytes.
    static let bytesAtOnce = 1 << 20

    private func parts(
        _ id: ExchangeID,
        _ owner: BodyOwner,
        after last: Int64
    ) throws(CaptureFailure) -> [Part] {
        try read { db in
            let sql = """
                SELECT id, bytes, arrived FROM body_part WHERE exchange = ? AND owner = ? AND id > ? ORDER BY id
                """
            let values = [id.rawValue, BodyOwnerCode(owner).rawValue, last].map(SQLValue.number)
            var parts: [Part] = []
            var count = 0
            try db.walk("body_part", sql, values, isKept: true) { row in
                let bytes = try row.bytes(1)
                count += bytes.count
                let moment = try row.optionalNumber(2).map(Timestamp.init(microseconds:))
                parts.append(Part(id: try row.id(0), bytes: bytes, arrived: moment))
                return count < Self.bytesAtOnce
            }
            return parts
        }
    }

    static func addPieces(to record: inout ExchangeRecord, _ db: Database) throws {
        for owner in [BodyOwner.request, .response] {
            guard var body = owner == .request ? record.request.body : record.response?.body else { continue }
            let count = try db.number(
                "body_part",
                "SELECT coalesce(sum(length(bytes)), 0) FROM body_part WHERE exchange = ? AND owner = ?",
                [.number(record.id.rawValue), .number(BodyOwnerCode(owner).rawValue)]
            )
            body.capturedLength = max(body.capturedLength, Int64(body.inline.count).addingClamped(count ?? 0))
            body.length = max(body.length, body.capturedLength)
            if owner == .request { record.request.body = body } else { record.response?.body = body }
        }
    }
}

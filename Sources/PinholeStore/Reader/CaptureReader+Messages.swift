package import PinholeModel

/// Reads the messages of WebSockets.
extension CaptureReader {
    /// Returns messages of a WebSocket, in the order in which they began.
    ///
    /// - Parameters:
    ///   - exchange: The exchange that opened the WebSocket.
    ///   - after: The number after which the messages begin.
    ///   - limit: The largest number of messages to return.
    /// - Returns: The messages with the bytes in their records; ``payload(of:limit:)`` returns all bytes.
    /// - Throws: ``CaptureFailure`` if the file cannot be read.
    package func messages(
        of exchange: ExchangeID,
        after: Int64 = 0,
        limit: Int
    ) throws(CaptureFailure) -> [WebSocketMessage] {
        try read { db in
            let sql = """
                SELECT id, exchange, number, sender, kind, state, started, ended, frames, length, captured,
                    detail, payload
                FROM message WHERE exchange = ? AND number > ? ORDER BY number LIMIT ?
                """
            return try db.rows(
                "message",
                sql,
                [.number(exchange.rawValue), .number(after), .number(Int64(limit))]
            ) { row in
                try WebSocketMessage(row: row)
            }
        }
    }

    /// Returns the captured bytes of a payload, in one array.
    ///
    /// - Parameters:
    ///   - message: The message, as ``messages(of:after:limit:)`` returned it.
    ///   - limit: The largest number of bytes to return.
    /// - Returns: The bytes as they were sent, without the mask.
    /// - Throws: ``CaptureFailure`` if the file cannot be read.
    package func payload(
        of message: WebSocketMessage,
        limit: Int = .max
    ) throws(CaptureFailure) -> [UInt8] {
        var bytes = Array(message.inline.prefix(limit))
        guard message.capturedLength > message.inline.count else { return bytes }
        var last: Int64? = 0
        while bytes.count < limit, let after = last {
            last = try read { db in
                // A message of a million frames may have as many parts, and a query for each would take seconds.
                let sql = """
                    SELECT id, bytes FROM message_part WHERE exchange = ? AND number = ? AND id > ? ORDER BY id
                    """
                let end = min(limit, bytes.count.advanced(by: min(limit - bytes.count, Self.bytesAtOnce)))
                var next: Int64?
                let values = [message.exchange.rawValue, message.number, after].map(SQLValue.number)
                try db.walk("message_part", sql, values, isKept: true) { row in
                    next = try row.id(0)
                    bytes.append(contentsOf: try row.bytes(1).prefix(limit - bytes.count))
                    return bytes.count < end
                }
                return next
            }
        }
        return bytes
    }
}

extension WebSocketMessage {
    fileprivate init(row: StoredRow) throws(StoredValueFault) {
        guard let sender = SideCode(rawValue: try row.number(3)) else { throw row.fault(3, "0 or 1") }
        guard let kind = UInt8(exactly: try row.number(4)).flatMap(Kind.init(rawValue:)) else {
            throw row.fault(4, "the kind of a message")
        }
        self.init(
            exchange: ExchangeID(rawValue: try row.id(1)),
            number: try row.id(2),
            sender: sender.side,
            kind: kind,
            started: Timestamp(microseconds: try row.number(6))
        )
        let state = MessageState(rawValue: try row.number(5))
        isComplete = state.contains(.complete)
        isCompressed = state.contains(.compressed)
        notes = state.notes
        ended = started + .microseconds(try row.number(7))
        frames = try row.length(8)
        length = try row.length(9)
        capturedLength = try row.length(10)
        detail = try row.optionalText(11)
        inline = try row.bytes(12)
    }
}

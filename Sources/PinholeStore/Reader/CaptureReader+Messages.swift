import GRDB
package import PinholeModel

/// The messages of WebSockets.
extension CaptureReader {
    /// The messages of a WebSocket, in the order in which they began.
    ///
    /// - Parameters:
    ///   - exchange: The exchange that opened it.
    ///   - after: Only those with a higher number.
    ///   - limit: How many at most.
    /// - Returns: The messages with the bytes that lie in their records; ``payload(of:limit:)`` has all.
    /// - Throws: ``CaptureFailure`` when the file cannot be read.
    package func messages(
        of exchange: ExchangeID,
        after: Int64 = 0,
        limit: Int
    ) throws(CaptureFailure) -> [WebSocketMessage] {
        try read { db in
            guard try CaptureSchema.hasMessages(db) else { return [] }
            return try Row.fetchAll(
                db,
                sql: """
                    SELECT exchange, number, sender, kind, state, started, ended, frames, length, captured,
                        detail, payload
                    FROM message WHERE exchange = ? AND number > ? ORDER BY number LIMIT ?
                    """,
                arguments: [exchange.rawValue, after, limit]
            ).map { try WebSocketMessage(row: $0) }
        }
    }

    /// The captured bytes of a payload, in one array.
    ///
    /// - Parameters:
    ///   - message: The message, as ``messages(of:after:limit:)`` gave it.
    ///   - limit: How many bytes at most.
    /// - Returns: The bytes as they were sent, without mask.
    /// - Throws: ``CaptureFailure`` when the file cannot be read.
    package func payload(
        of message: WebSocketMessage,
        limit: Int = .max
    ) throws(CaptureFailure) -> [UInt8] {
        var bytes = Array(message.inline.prefix(limit))
        guard message.capturedLength > message.inline.count else { return bytes }
        var last: Int64 = 0
        while bytes.count < limit, let part = try part(of: message, after: last) {
            last = part.id
            bytes.append(contentsOf: part.bytes.prefix(limit - bytes.count))
        }
        return bytes
    }

    private func part(
        of message: WebSocketMessage,
        after last: Int64
    ) throws(CaptureFailure) -> (id: Int64, bytes: [UInt8])? {
        try read { db in
            let row = try Row.fetchOne(
                db,
                sql: """
                    SELECT id, bytes FROM message_part WHERE exchange = ? AND number = ? AND id > ?
                    ORDER BY id LIMIT 1
                    """,
                arguments: [message.exchange.rawValue, message.number, last]
            )
            return try row.map { row in (row[0], try row.bytes(at: 1)) }
        }
    }
}

extension WebSocketMessage {
    fileprivate init(row: Row) throws {
        self.init(
            exchange: ExchangeID(rawValue: row[0]),
            number: row[1],
            sender: SideCode(rawValue: row[2])?.side ?? .client,
            kind: (row[3] as UInt8?).flatMap(Kind.init(rawValue:)) ?? .unread,
            started: Timestamp(microseconds: row[5])
        )
        let state = MessageState(rawValue: row[4])
        isComplete = state.contains(.complete)
        isCompressed = state.contains(.compressed)
        notes = state.notes
        ended = started + .microseconds(row[6] as Int64)
        frames = row[7]
        length = row[8]
        capturedLength = row[9]
        detail = row[10]
        inline = try row.bytes(at: 11)
    }
}

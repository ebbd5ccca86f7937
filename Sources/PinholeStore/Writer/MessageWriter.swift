import GRDB
import PinholeModel

/// Writes the messages of WebSockets.
///
/// It lives on the writer's queue.
final class MessageWriter {
    private let message: BoundStatement
    private let part: BoundStatement

    init(_ db: Database) throws {
        message = try BoundStatement(
            db,
            sql: """
                INSERT OR REPLACE INTO message(
                    exchange, number, sender, kind, state, started, ended, frames, length, captured, detail, payload)
                VALUES (?,?,?,?,?,?,?,?,?,?,?,?)
                """
        )
        part = try BoundStatement(db, sql: "INSERT INTO message_part(exchange, number, bytes) VALUES (?,?,?)")
    }

    /// Writes a message; one with the same number is replaced.
    func write(_ record: WebSocketMessage) throws {
        message.begin(byteCount: record.inline.count + (record.detail?.utf8.count ?? 0))
        message.bind(record.exchange.rawValue)
        message.bind(record.number)
        message.bind(SideCode(record.sender).rawValue)
        message.bind(Int64(record.kind.rawValue))
        message.bind(MessageState(record).rawValue)
        message.bind(record.started.microseconds)
        message.bind(record.ended.microseconds - record.started.microseconds)
        message.bind(record.frames)
        message.bind(record.length)
        message.bind(record.capturedLength)
        message.bind(record.detail)
        message.bind(record.inline)
        try message.run()
    }

    /// Writes more bytes of a payload.
    func write(_ bytes: [UInt8], of exchange: ExchangeID, _ number: Int64) throws {
        guard !bytes.isEmpty else { return }
        part.begin(byteCount: 0)
        part.bind(exchange.rawValue)
        part.bind(number)
        try part.run(with: bytes)
    }
}

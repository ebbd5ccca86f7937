import GRDB
import PinholeModel

/// Writes the messages of WebSockets.
///
/// It lives on the writer's queue.
final class MessageWriter {
    private struct Key: Hashable, Comparable {
        let exchange: Int64
        let number: Int64

        static func < (left: Key, right: Key) -> Bool {
            (left.exchange, left.number) < (right.exchange, right.number)
        }
    }

    private let message: BoundStatement
    private let part: BoundStatement
    /// Bytes of this batch that are not written yet: a message in a million frames does not become a million rows.
    private var pending: [Key: [UInt8]] = [:]

    /// Bytes in one row; a reader that wants some of them reads all of it.
    private static let partBytes = 256 << 10

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

    /// Begins a batch; the bytes of a failed batch are dropped here, because the batch comes again.
    func begin() { pending.removeAll(keepingCapacity: true) }

    /// Writes more bytes of a payload, at the end of the batch at the latest.
    func write(_ bytes: [UInt8], of exchange: ExchangeID, _ number: Int64) throws {
        guard !bytes.isEmpty else { return }
        let key = Key(exchange: exchange.rawValue, number: number)
        pending[key, default: []] += bytes
        if let bytes = pending[key], bytes.count >= Self.partBytes {
            pending[key] = nil
            try write(bytes, key)
        }
    }

    /// Writes the rest of the batch.
    func finish() throws {
        for (key, bytes) in pending.sorted(by: { $0.key < $1.key }) { try write(bytes, key) }
        pending.removeAll(keepingCapacity: true)
    }

    private func write(_ bytes: [UInt8], _ key: Key) throws {
        part.begin(byteCount: 0)
        part.bind(key.exchange)
        part.bind(key.number)
        try part.run(with: bytes)
    }
}

import PinholeModel

/// Writes the messages of WebSockets.
///
/// All calls are on the writer's queue.
final class MessageWriter {
    private struct Key: Hashable, Comparable {
        let exchange: Int64
        let number: Int64

        static func < (left: Key, right: Key) -> Bool {
            (left.exchange, left.number) < (right.exchange, right.number)
        }
    }

    private let message: Statement
    private let part: Statement
    /// The unwritten bytes of this batch, collected so that a message of a million frames does not become a million
    /// rows.
    private var pending: [Key: [UInt8]] = [:]

    /// The number of bytes in one row; a reader that needs some of them reads all.
    private static let partBytes = 256 << 10

    init(_ db: Database) throws {
        message = try db.statement(
            """
            INSERT OR REPLACE INTO message(
                exchange, number, sender, kind, state, started, ended, frames, length, captured, detail, payload)
            VALUES (?,?,?,?,?,?,?,?,?,?,?,?)
            """,
            isKept: true
        )
        part = try db.statement(
            "INSERT INTO message_part(exchange, number, bytes) VALUES (?,?,?)",
            isKept: true
        )
    }

    /// Writes a message; a message with the same number is replaced.
    func write(_ record: WebSocketMessage) throws {
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

    /// Begins a batch; bytes of a failed batch are dropped, because that batch is written again.
    func begin() { pending.removeAll(keepingCapacity: true) }

    /// Writes more bytes of a payload, at the latest at the end of the batch.
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
        part.bind(key.exchange)
        part.bind(key.number)
        try part.run(with: bytes)
    }
}

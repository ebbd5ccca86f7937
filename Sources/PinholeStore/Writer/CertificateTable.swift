import GRDB
import PinholeModel

/// Gives each distinct certificate a number, and remembers the ones that were met last.
///
/// Two certificates are the same if every byte is; the hash only finds candidates. So nobody can
/// make one certificate stand in the capture for another by finding a collision.
struct CertificateTable {
    private let insert: BoundStatement
    private let touch: BoundStatement
    private let database: Database
    private var known: [[UInt8]: Int64] = [:]
    /// The newest flow that showed each certificate, since `noteUse` ran last.
    private var used: [Int64: Int64] = [:]

    /// About 400 KiB of certificates; then the memory starts anew.
    private static let remembered = 256

    init(_ db: Database) throws {
        database = db
        insert = try BoundStatement(db, sql: "INSERT INTO certificate(hash, last_flow, der) VALUES (?,?,?)")
        touch = try BoundStatement(
            db,
            sql: "UPDATE certificate SET last_flow = max(last_flow, ?) WHERE id = ?"
        )
    }

    /// The number of `der`, which a flow showed.
    mutating func id(of der: [UInt8], flow: FlowID) throws -> Int64 {
        let id = try known[der] ?? load(der)
        used[id] = max(used[id] ?? 0, flow.rawValue)
        if known.count >= Self.remembered { known.removeAll(keepingCapacity: true) }
        known[der] = id
        return id
    }

    /// Writes which flow used each certificate last; retention keeps certificates by it.
    mutating func noteUse() throws {
        for (id, flow) in used {
            touch.begin(byteCount: 0)
            touch.bind(flow)
            touch.bind(id)
            try touch.run()
        }
        used.removeAll(keepingCapacity: true)
    }

    /// Forgets the numbers, since rows may be gone.
    mutating func forget() {
        known.removeAll(keepingCapacity: true)
        used.removeAll(keepingCapacity: true)
    }

    private func load(_ der: [UInt8]) throws -> Int64 {
        let hash = Self.hash(der)
        let sql = "SELECT id, der FROM certificate WHERE hash = ?"
        let known = try database.rows("certificate", sql, [hash], isKept: true) { row in
            try row.bytes(1) == der ? try row.id(0) : nil
        }
        if let id = known.compactMap(\.self).first { return id }
        insert.begin(byteCount: 0)
        insert.bind(hash)
        insert.bind(0)
        try insert.run(with: der)
        return database.lastInsertedRowID
    }

    /// FNV-1a of 64 bits.
    private static func hash(_ bytes: [UInt8]) -> Int64 {
        Int64(bitPattern: bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 })
    }
}

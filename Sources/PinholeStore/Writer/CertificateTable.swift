import Glibc
import PinholeModel

/// Gives each distinct certificate a number, and caches the numbers of recent ones.
///
/// Two certificates are equal only if every byte is; the hash only finds candidates. So nobody can substitute one
/// certificate for another in the capture by a hash collision.
struct CertificateTable {
    /// A certificate as a key.
    ///
    /// Hashing and comparing whole certificates took 110,000 instructions for the ten certificates of a flow. Most of
    /// them are in the same memory as those of an earlier flow. Others differ in their last bytes, the signature.
    private struct Key: Hashable {
        let der: [UInt8]

        private static let hashedBytes = 8

        func hash(into hasher: inout Hasher) {
            let word = der.suffix(Self.hashedBytes).reduce(UInt64(der.count)) { word, byte in
                (word << 8 | word >> 56) ^ UInt64(byte)
            }
            hasher.combine(word)
        }

        static func == (left: Key, right: Key) -> Bool {
            guard left.der.count == right.der.count else { return false }
            return left.der.withUnsafeBytes { left in
                right.der.withUnsafeBytes { right in
                    guard let left = left.baseAddress, let other = right.baseAddress else { return true }
                    return left == other || memcmp(left, other, right.count) == 0
                }
            }
        }
    }

    private let insert: Statement
    private let touch: Statement
    private let database: Database
    private var known: [Key: Int64] = [:]
    /// The newest flow that showed each certificate, since the last `noteUse`.
    private var used: [Int64: Int64] = [:]

    /// The number of cached certificates, about 400 KiB; a full cache is emptied.
    private static let remembered = 256

    init(_ db: Database) throws {
        database = db
        insert = try db.statement(
            "INSERT INTO certificate(hash, last_flow, der) VALUES (?,?,?)",
            isKept: true
        )
        touch = try db.statement(
            "UPDATE certificate SET last_flow = max(last_flow, ?) WHERE id = ?",
            isKept: true
        )
    }

    /// Returns the number of the certificate `der`, which a flow showed.
    mutating func id(of der: [UInt8], flow: FlowID) throws -> Int64 {
        let id = try number(of: Key(der: der))
        Self.raise(&used[id, default: 0], to: flow.rawValue)
        return id
    }

    /// Raises a number to another one, with one search for it.
    private static func raise(_ number: inout Int64, to other: Int64) { number = max(number, other) }

    private mutating func number(of key: Key) throws -> Int64 {
        if let id = known[key] { return id }
        let id = try load(key.der)
        if known.count >= Self.remembered { known.removeAll(keepingCapacity: true) }
        known[key] = id
        return id
    }

    /// Writes which flow last used each certificate; retention removes certificates by that.
    mutating func noteUse() throws {
        for (id, flow) in used {
            touch.bind(flow)
            touch.bind(id)
            try touch.run()
        }
        used.removeAll(keepingCapacity: true)
    }

    /// Empties the cache, because rows may have been removed.
    mutating func forget() {
        known.removeAll(keepingCapacity: true)
        used.removeAll(keepingCapacity: true)
    }

    private func load(_ der: [UInt8]) throws -> Int64 {
        let hash = Self.hash(der)
        let sql = "SELECT id, der FROM certificate WHERE hash = ?"
        let known = try database.rows("certificate", sql, [.number(hash)], isKept: true) { row in
            try row.bytes(1) == der ? try row.id(0) : nil
        }
        if let id = known.compactMap(\.self).first { return id }
        insert.bind(hash)
        insert.bind(0)
        try insert.run(with: der)
        return database.lastInsertedRow
    }

    /// Returns the 64-bit FNV-1a hash.
    private static func hash(_ bytes: [UInt8]) -> Int64 {
        Int64(bitPattern: bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 })
    }
}

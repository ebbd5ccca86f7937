import GRDB
import GRDBSQLite

/// A prepared statement whose parameters are bound straight from Swift values, in order.
///
/// GRDB's arguments box every value; at 20,000 rows a second that costs more than SQLite itself.
/// This is the one file that calls `sqlite3_bind_*`.
///
/// The bytes of a row are gathered in one buffer that is reused, so that binding neither allocates
/// nor hands SQLite a pointer into a Swift array: `begin` makes room for all of them first, after
/// which the buffer does not move until `run` has reset the statement.
final class BoundStatement {
    private let statement: Statement
    private let handle: OpaquePointer
    private let database: OpaquePointer?
    private var index: Int32 = 0
    private var scratch: UnsafeMutableRawBufferPointer
    private var used = 0

    /// A row that needs more than this gives the room back afterwards.
    private static let keptCapacity = 64 << 10

    /// Prepares `sql`.
    ///
    /// Use the statement on `db`'s queue only.
    init(_ db: Database, sql: String) throws {
        statement = try db.makeStatement(sql: sql)
        handle = statement.sqliteStatement
        database = sqlite3_db_handle(handle)
        scratch = .allocate(byteCount: 4 << 10, alignment: 16)
    }

    deinit { scratch.deallocate() }

    /// Starts a row whose texts and blobs have at most `byteCount` bytes together.
    func begin(byteCount: Int) {
        index = 0
        used = 0
        guard byteCount > scratch.count else { return }
        scratch.deallocate()
        scratch = .allocate(byteCount: byteCount, alignment: 16)
    }

    /// Binds a number; `nil` is NULL.
    func bind(_ number: Int64?) {
        index += 1
        if let number {
            sqlite3_bind_int64(handle, index, number)
        } else {
            sqlite3_bind_null(handle, index)
        }
    }

    /// Binds a text; `nil` is NULL.
    func bind(_ text: String?) {
        index += 1
        guard var text else {
            sqlite3_bind_null(handle, index)
            return
        }
        let place = text.withUTF8 { copy(UnsafeRawBufferPointer($0)) }
        sqlite3_bind_text(
            handle,
            index,
            place.baseAddress?.assumingMemoryBound(to: CChar.self),
            Int32(place.count),
            nil
        )
    }

    /// Binds a blob; an empty one is NULL.
    func bind(_ bytes: [UInt8]) {
        index += 1
        guard !bytes.isEmpty else {
            sqlite3_bind_null(handle, index)
            return
        }
        let place = bytes.withUnsafeBytes { copy($0) }
        sqlite3_bind_blob64(handle, index, place.baseAddress, UInt64(place.count), nil)
    }

    /// Runs the statement with what was bound.
    func run() throws {
        let code = sqlite3_step(handle)
        let failure = code == SQLITE_DONE || code == SQLITE_ROW ? nil : lastError(code)
        sqlite3_reset(handle)
        if scratch.count > Self.keptCapacity {
            // What was bound points into the buffer.
            sqlite3_clear_bindings(handle)
            scratch.deallocate()
            scratch = .allocate(byteCount: 4 << 10, alignment: 16)
        }
        if let failure { throw failure }
    }

    /// Runs the statement with `bytes`, which are not copied, as its last parameter.
    func run(with bytes: [UInt8]) throws {
        index += 1
        let code = bytes.withUnsafeBytes { bytes in
            sqlite3_bind_blob64(handle, index, bytes.baseAddress, UInt64(bytes.count), nil)
            return sqlite3_step(handle)
        }
        let failure = code == SQLITE_DONE ? nil : lastError(code)
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
        if let failure { throw failure }
    }

    private func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        precondition(used + bytes.count <= scratch.count, "begin makes room for the whole row")
        let place = UnsafeMutableRawBufferPointer(rebasing: scratch[used..<used + bytes.count])
        place.copyMemory(from: bytes)
        used += bytes.count
        // An empty text needs an address too: a null pointer would bind NULL.
        return UnsafeRawBufferPointer(
            start: scratch.baseAddress.map { $0 + (used - bytes.count) },
            count: bytes.count
        )
    }

    private func lastError(_ code: Int32) -> DatabaseError {
        DatabaseError(
            resultCode: ResultCode(rawValue: code),
            message: database.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) }
        )
    }
}

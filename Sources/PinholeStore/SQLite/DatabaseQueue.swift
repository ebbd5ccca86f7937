import Dispatch

/// A database that threads share: one uses it at a time, and the others wait.
///
/// Sendable: `database` is used on `queue` alone.
final class DatabaseQueue: @unchecked Sendable {
    private let queue: DispatchQueue
    private let database: Database

    /// Shares a connection, which nothing else uses from now on.
    ///
    /// - Parameters:
    ///   - database: The connection.
    ///   - label: The name of the queue, for debuggers.
    init(_ database: consuming sending Database, label: String) {
        self.database = database
        queue = DispatchQueue(label: label)
    }

    /// Reads in one transaction, so that all statements see the file in the same state.
    func read<Value>(_ work: (Database) throws -> Value) throws -> Value {
        try queue.sync { try database.transaction(.deferred) { try work(database) } }
    }

    /// Does work in a transaction during which no other connection can write.
    func write<Value>(_ work: (Database) throws -> Value) throws -> Value {
        try queue.sync { try database.transaction(.immediate) { try work(database) } }
    }

    /// Does work for which no transaction may be open, such as a checkpoint.
    func withoutTransaction<Value>(_ work: (Database) throws -> Value) throws -> Value {
        try queue.sync { try work(database) }
    }
}

import Foundation

/// A value behind a lock.
///
/// Synchronization's `Mutex` would do, but ThreadSanitizer does not see its slow path on Linux (Swift 6.3)
/// and reports races that are none as soon as two threads meet at one.
///
/// Sendable: guarded by `lock`.
final class Guarded<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) { self.value = value }

    /// Lets `body` read and change the value while nobody else does.
    func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}

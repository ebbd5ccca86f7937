internal import Glibc

/// A value that only one thread at a time can read and change.
///
/// The class does the same as `Mutex` of Synchronization, with a lock that ThreadSanitizer knows;
/// docs/DECISIONS.md gives the reason. It is for small values and short work, since a waiting thread is blocked.
///
/// Sendable: the value is accessible only through `withLock`, and `mutex` guards it.
public final class Lock<Value>: @unchecked Sendable {
    // Both are allocated, so that their addresses are fixed: a mutex must not move, and each use of a stored
    // property of a class would be checked for exclusive access.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    @usableFromInline let value: UnsafeMutablePointer<Value>

    /// Creates a lock that holds `value`.
    public init(_ value: consuming sending Value) {
        mutex = .allocate(capacity: 1)
        self.value = .allocate(capacity: 1)
        self.value.initialize(to: value)
        var attributes = pthread_mutexattr_t()
        pthread_mutexattr_init(&attributes)
        // A second lock by the same thread returns an error. With an ordinary mutex it would wait for ever.
        pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ERRORCHECK))
        let status = pthread_mutex_init(mutex, &attributes)
        precondition(status == 0, "a mutex could not be made (error \(status))")
        pthread_mutexattr_destroy(&attributes)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
        value.deinitialize(count: 1)
        value.deallocate()
    }

    /// Calls `body` with exclusive access to the value.
    ///
    /// - Parameter body: Reads or changes the value; it must not use the same lock.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`.
    @inlinable
    public func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        take()
        defer { release() }
        return try body(&value.pointee)
    }

    @usableFromInline
    func take() {
        let status = pthread_mutex_lock(mutex)
        precondition(status == 0, "a lock is taken by the thread that has it (error \(status))")
    }

    @usableFromInline
    func release() {
        pthread_mutex_unlock(mutex)
    }
}

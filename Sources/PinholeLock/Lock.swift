internal import Glibc

/// A value that one thread at a time may read and change.
///
/// It does what `Mutex` of Synchronization does, on a lock that ThreadSanitizer knows; docs/DECISIONS.md
/// tells why. It is for small values and short work: whoever waits for it blocks a thread.
///
/// Sendable: the value is reached through `withLock` alone, guarded by `mutex`.
package final class Lock<Value>: @unchecked Sendable {
    // Both are allocated, so that their addresses stay: a mutex must not move, and a stored property of a
    // class would be checked for exclusive access with each use.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    @usableFromInline let value: UnsafeMutablePointer<Value>

    /// Puts `value` behind a new lock.
    package init(_ value: consuming sending Value) {
        mutex = .allocate(capacity: 1)
        self.value = .allocate(capacity: 1)
        self.value.initialize(to: value)
        var attributes = pthread_mutexattr_t()
        pthread_mutexattr_init(&attributes)
        // One that is taken twice by a thread says so, where an ordinary one waits for ever.
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

    /// Lets `body` read and change the value while nobody else does.
    ///
    /// - Parameter body: What is to be done; it must not come back to the same lock.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    @inlinable
    package func withLock<Result: ~Copyable, Failure: Error>(
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

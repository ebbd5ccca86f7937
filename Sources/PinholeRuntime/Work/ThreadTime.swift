import Glibc

/// The processor time that the current thread has used.
enum ThreadTime {
    /// The time in nanoseconds, as an atomic can hold it.
    static var nanoseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// The time as a duration.
    static var used: Duration { .nanoseconds(nanoseconds) }
}

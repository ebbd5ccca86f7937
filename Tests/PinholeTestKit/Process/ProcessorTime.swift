import Glibc

/// Processor time, which other programs of a busy machine do not lengthen.
package enum ProcessorTime {
    /// Measures the processor time that this thread needs for `body`.
    package static func measure(_ body: () throws -> Void) rethrows -> Duration {
        let begun = used
        try body()
        return used - begun
    }

    private static var used: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}

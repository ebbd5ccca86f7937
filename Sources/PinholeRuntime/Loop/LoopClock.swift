import CLinux
import Glibc
package import PinholeModel

/// A clock that starts with the wall-clock time of the process start and runs with the monotonic clock, so
/// that it never jumps.
package struct LoopClock: Sendable {
    private let offset: Int64

    /// Reads both clocks once.
    package init() {
        offset = Self.read(CLOCK_REALTIME) - Self.read(CLOCK_MONOTONIC)
    }

    /// Returns the current time.
    package func now() -> Timestamp {
        Timestamp(microseconds: Self.read(CLOCK_MONOTONIC) + offset)
    }

    /// Returns the time of the machine, by which the times of files are set.
    static func wallTime() -> Timestamp { Timestamp(microseconds: read(CLOCK_REALTIME)) }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }
}

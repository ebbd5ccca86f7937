import CLinux
import Glibc
package import PinholeModel

/// Tells the time: as wall-clock time at the start of the process, running with the monotonic clock,
/// so that it never jumps.
package struct LoopClock: Sendable {
    private let offset: Int64

    /// Reads both clocks once.
    package init() {
        offset = Self.read(CLOCK_REALTIME) - Self.read(CLOCK_MONOTONIC)
    }

    /// The time now.
    package func now() -> Timestamp {
        Timestamp(microseconds: Self.read(CLOCK_MONOTONIC) + offset)
    }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }
}

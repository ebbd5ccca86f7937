import CLinux
import Dispatch
import Glibc
import PinholeModel
import Synchronization

/// Returns free memory to the system, some time after traffic.
///
/// Loops allocate memory for records, and the capture's writer frees it. glibc keeps it in the arena of the
/// thread that allocated it: after ten seconds of load, 8 MiB were in use and 130 MiB were held. Trimming
/// once a second under load prevents this; an idle process is not woken. The number of arenas is limited,
/// too: glibc would make eight for each core, and Dispatch moves a loop from thread to thread.
///
/// Loops share one trimmer: the first loop with traffic sets the timer.
package final class MemoryTrimmer: TimerHandler, Sendable {
    private static let interval = Duration.seconds(1)
    private let queue = DispatchQueue(label: "pinhole.memory", qos: .utility)
    private let isScheduled = Atomic(false)

    /// Creates a trimmer.
    ///
    /// - Parameter loopCount: The number of loops that allocate in parallel. The process gets this number of
    ///   arenas, but at least two.
    package init(loopCount: Int = 1) {
        mallopt(M_ARENA_MAX, Int32(max(2, loopCount)))
    }

    /// Notes that a loop handled an event.
    func noteActivity(on loop: isolated EventLoop) {
        guard !isScheduled.load(ordering: .relaxed), !isScheduled.exchange(true, ordering: .relaxed) else {
            return
        }
        loop.schedule(at: loop.now + Self.interval, self)
    }

    /// Trims the memory.
    ///
    /// The timer itself is no activity, so the next trim comes after the next traffic.
    package func timerFired(tag: Int, on loop: isolated EventLoop) {
        queue.async { malloc_trim(0) }
        isScheduled.store(false, ordering: .relaxed)
    }
}

import CLinux
import Dispatch
import Glibc
import PinholeModel
import Synchronization

/// Gives free memory back to the system, a while after there was traffic.
///
/// What loops allocate for a record is freed by the capture's writer, and glibc keeps what was freed
/// in the arena of the thread that allocated it: after ten seconds of load 8 MiB were in use and
/// 130 MiB were held. Trimming once a second under load keeps that flat; an idle process is not woken.
/// And there are few arenas: glibc would make eight for each core, and Dispatch moves a loop from thread
/// to thread.
///
/// Loops share one: whichever has traffic first sets the timer.
package final class MemoryKeeper: TimerHandler, Sendable {
    private static let interval = Duration.seconds(1)
    private let queue = DispatchQueue(label: "pinhole.memory", qos: .utility)
    private let isScheduled = Atomic(false)

    /// Creates a keeper.
    ///
    /// - Parameter loopCount: How many loops allocate side by side; the process gets so many arenas, at
    ///   least two.
    package init(loopCount: Int = 1) {
        mallopt(M_ARENA_MAX, Int32(max(2, loopCount)))
    }

    /// Notes that something was handled.
    func noteActivity(on loop: isolated EventLoop) {
        guard !isScheduled.load(ordering: .relaxed), !isScheduled.exchange(true, ordering: .relaxed) else {
            return
        }
        loop.schedule(at: loop.now + Self.interval, self)
    }

    /// Trims; the timer itself is no activity, so the next one comes with the next traffic.
    package func timerFired(tag: Int, on loop: isolated EventLoop) {
        queue.async { malloc_trim(0) }
        isScheduled.store(false, ordering: .relaxed)
    }
}

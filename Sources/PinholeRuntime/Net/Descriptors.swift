import Glibc
import Synchronization

/// The file descriptors of this process, and the number that accepted connections may use.
package enum Descriptors {
    /// Enough for 10,000 tunnels with two each.
    ///
    /// Some systems allow a billion, and programs that are started by this one may try to close each of them.
    private static let most: rlim_t = 65_536

    /// The number that the system allows, after it was raised once.
    private static let allowed: Int = {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
        let wanted = min(limit.rlim_max, max(limit.rlim_cur, most))
        if !isKept.load(ordering: .relaxed), limit.rlim_cur < wanted {
            limit.rlim_cur = wanted
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
        return Int(clamping: limit.rlim_cur)
    }()

    private static let used = Atomic<Int>(0)
    private static let isKept = Atomic<Bool>(false)

    /// Leaves the number as the system set it, for a process whose child inherits it.
    ///
    /// Some programs size their tables by it. The call must come before the first ``ConnectionLimiter``.
    package static func keep() { isKept.store(true, ordering: .relaxed) }

    /// Raises the number of descriptors that the system allows this process.
    ///
    /// - Returns: The number after that.
    @discardableResult
    package static func raise() -> Int { allowed }

    /// Whether another connection would take one of the reserved descriptors.
    ///
    /// One in four stays free for files, connections to servers, and listeners. A server with a login may use half of
    /// these, so that servers without one do not stop it.
    static func isShort(of count: Int, forLogin: Bool = false) -> Bool {
        let reserve = forLogin ? max(32, allowed / 8) : max(64, allowed / 4)
        return used.load(ordering: .relaxed) + count > max(allowed / 2, allowed - reserve)
    }

    static func take(_ count: Int) { used.add(count, ordering: .relaxed) }
    static func give(back count: Int) { used.subtract(count, ordering: .relaxed) }
}

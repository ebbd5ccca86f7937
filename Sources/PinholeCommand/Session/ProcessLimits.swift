import Glibc

/// What the system allows this process.
enum ProcessLimits {
    /// Raises the number of descriptors to what the system allows: a tunnel needs two.
    static func raiseDescriptors() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0,
            limit.rlim_cur < limit.rlim_max
        else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    /// Raises the number of descriptors, and refuses to begin with fewer than the lab needs: what waits for one
    /// that never comes looks like a peer that says nothing.
    ///
    /// - Throws: ``CommandFailure`` that says what is there and what is needed.
    static func requireDescriptors() throws(CommandFailure) {
        raiseDescriptors()
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0,
            limit.rlim_cur < neededDescriptors
        else { return }
        throw CommandFailure(
            .couldNotRun,
            "expected at least \(neededDescriptors) open files to be allowed, found \(limit.rlim_cur)",
            remedy: "raise the limit with ulimit -n \(neededDescriptors)"
        )
    }

    /// Twice what four scenarios side by side were seen to need.
    private static let neededDescriptors: rlim_t = 256

    /// Lets a write to somebody who went away fail instead of ending the process.
    static func ignoreBrokenPipes() {
        signal(SIGPIPE, SIG_IGN)
    }
}

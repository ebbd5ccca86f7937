import Glibc

/// The limits that the system sets for this process.
enum ProcessLimits {
    /// Raises the number of file descriptors to the system's maximum, since a tunnel needs two.
    static func raiseDescriptors() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0,
            limit.rlim_cur < limit.rlim_max
        else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    /// Raises the number of file descriptors, and throws if there are fewer than the lab needs.
    ///
    /// Without a descriptor, a connection would wait and look like a peer that does not answer.
    ///
    /// - Throws: ``CommandFailure`` with the available and the required number.
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

    /// Twice the number that four concurrent scenarios were observed to need.
    private static let neededDescriptors: rlim_t = 256

    /// Makes a write to a closed pipe or socket fail instead of ending the process.
    static func ignoreBrokenPipes() {
        signal(SIGPIPE, SIG_IGN)
    }
}

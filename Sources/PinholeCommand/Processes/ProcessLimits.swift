import Glibc
import PinholeRuntime
import PinholeSession

/// The limits that the system sets for this process.
enum ProcessLimits {
    /// Raises the number of file descriptors, and throws if there are fewer than the lab needs.
    ///
    /// Without a descriptor, a connection would wait and look like a peer that does not answer.
    ///
    /// - Throws: ``CommandFailure`` with the available and the required number.
    static func requireDescriptors() throws(CommandFailure) {
        let allowed = Descriptors.raise()
        guard allowed < neededDescriptors else { return }
        throw CommandFailure(
            "expected at least \(neededDescriptors) open files to be allowed, found \(allowed)",
            remedy: "raise the limit with ulimit -n \(neededDescriptors)"
        )
    }

    /// Twice the number that four concurrent scenarios were observed to need.
    private static let neededDescriptors = 256

    /// Makes a write to a closed pipe or socket fail instead of ending the process.
    static func ignoreBrokenPipes() {
        signal(SIGPIPE, SIG_IGN)
    }
}

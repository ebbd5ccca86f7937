import Glibc
import PinholeRuntime
import PinholeSession

/// Starts the part of `pinhole attach` that needs root, and leaves the proxy without root.
enum AttachHelper {
    /// Starts `pinhole attached`, by sudo if this process is not root's.
    ///
    /// - Parameter words: The arguments.
    /// - Returns: The process.
    /// - Throws: ``CommandFailure`` if it cannot be started, or if sudo refuses.
    static func start(_ words: [String]) async throws(CommandFailure) -> HelperProcess {
        var command = [Places.program ?? "pinhole", AttachedCommand.name] + words
        if geteuid() != 0 {
            guard let sudo = ExecutableSearch.path(of: "sudo") else {
                throw CommandFailure(
                    .couldNotRun,
                    "attach needs root for its changes, and there is no program sudo",
                    remedy: "run the same command as root"
                )
            }
            // The helper has no terminal of its own, so sudo asks for the password before.
            if let reason = await ChildProcess.failure(of: sudo, ["-v"]) {
                throw CommandFailure(
                    .couldNotRun,
                    "sudo does not give this user the rights of root: \(Plain.printable(reason))",
                    remedy: "run the same command as root"
                )
            }
            command = [sudo, "-n", "--"] + command
        }
        do throws(SystemFailure) {
            return try HelperProcess(command)
        } catch {
            throw CommandFailure(.couldNotRun, error.description)
        }
    }
}

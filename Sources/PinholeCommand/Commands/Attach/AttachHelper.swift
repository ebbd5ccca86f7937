import Glibc
import PinholeModel
import PinholeRuntime
import PinholeSession

/// Starts the part of `pinhole attach` that needs root, and leaves the proxy without root.
enum AttachHelper {
    private static let remedy = "run the same command as root"

    /// Returns the command of `pinhole attached`, by sudo if this process is not root's.
    ///
    /// - Parameter words: The arguments.
    /// - Returns: The command.
    /// - Throws: ``CommandFailure`` if another user could replace the program, or if there is no sudo.
    static func command(_ words: [String]) throws(CommandFailure) -> [String] {
        guard let file = Places.program, !file.hasSuffix(" (deleted)") else {
            throw CommandFailure(
                "the file of this program was removed or replaced meanwhile, and root needs it",
                remedy: "start the command again"
            )
        }
        let caller = ProcessUsers.current.caller
        let program = try RootProgram.checked(file, owners: [0, caller ?? 0])
        let command = [program, AttachedCommand.name] + words
        guard geteuid() != 0 else { return command }
        guard let sudo = ExecutableSearch.path(of: "sudo") else {
            throw CommandFailure(
                "attach needs root for its changes, and there is no program sudo",
                remedy: remedy
            )
        }
        return [sudo, "-n", "--"] + command
    }

    /// Starts `pinhole attached`.
    ///
    /// - Parameter command: The command.
    /// - Returns: The process.
    /// - Throws: ``CommandFailure`` if it cannot be started, or if sudo refuses.
    static func start(_ command: [String]) async throws(CommandFailure) -> HelperProcess {
        if geteuid() != 0, let sudo = command.first { try await ask(sudo, for: Array(command.dropFirst(3))) }
        return try CommandFailure.wrapping { try HelperProcess(command) }
    }

    /// Asks for the password, if sudo needs one: the helper has no terminal of its own.
    private static func ask(_ sudo: String, for command: [String]) async throws(CommandFailure) {
        let test = ["-n", "-l", "--"] + command
        guard await ChildProcess.failure(of: sudo, test) != nil else { return }
        if let reason = await ChildProcess.failure(of: sudo, ["-v"]) {
            throw CommandFailure(
                "sudo does not give this user the rights of root: \(inOneLine(reason))",
                remedy: remedy
            )
        }
        if let reason = await ChildProcess.failure(of: sudo, test) {
            throw CommandFailure(
                "sudo keeps no password here, or does not permit this command: \(inOneLine(reason))",
                remedy: remedy
            )
        }
    }

    /// The lines of sudo, which warns of other things first.
    private static func inOneLine(_ reason: String) -> String {
        Plain.printable(reason.split(whereSeparator: \.isNewline).joined(separator: "; "))
    }
}

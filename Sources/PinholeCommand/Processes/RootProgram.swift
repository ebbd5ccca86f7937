import Glibc
import PinholeFiles
import PinholeModel
import PinholeSession

/// Programs that root starts: no other user may replace them.
enum RootProgram {
    /// Checks a program and the folders above it.
    ///
    /// A build in a user's home is fine if the user alone can write it, since sudo asks that user.
    ///
    /// - Parameters:
    ///   - path: The program.
    ///   - owners: The users whose files root may start.
    /// - Returns: The path of the program without links.
    /// - Throws: ``CommandFailure`` if another user can replace the program.
    static func checked(_ path: String, owners: Set<uid_t>) throws(CommandFailure) -> String {
        let program = FilePath.real(path)
        var next = program
        while true {
            var status = stat()
            guard lstat(next, &status) == 0 else {
                throw CommandFailure("could not find \(next): \(Errno.current)")
            }
            guard owners.contains(status.st_uid) else {
                throw CommandFailure(
                    "\(next) belongs to another user, so root does not start \(program)",
                    remedy: "use a program that belongs to root, or to you"
                )
            }
            // In a sticky folder such as /tmp, nobody removes or replaces files of others.
            let isSticky = status.st_mode & S_IFMT == S_IFDIR && status.st_mode & S_ISVTX != 0
            guard status.st_mode & 0o022 == 0 || isSticky else {
                throw CommandFailure(
                    "other users can write \(next), so root does not start \(program)",
                    remedy: "chmod go-w \(ShellWord.quoted(next))"
                )
            }
            guard next != "/" else { return program }
            next = FilePath.folder(of: next)
        }
    }
}

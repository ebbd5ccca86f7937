import PinholeModel
import PinholeSession

/// The command that repeats a `pinhole run` with `--isolate`.
enum IsolatedRun {
    /// Makes the command line.
    ///
    /// - Parameters:
    ///   - arguments: The arguments of this process, the first of which is its own name.
    ///   - program: The program and its arguments.
    ///   - hasJoined: Whether the run had joined a proxy; `--isolate` needs another capture then.
    /// - Returns: The command for a shell, without passwords.
    static func command(like arguments: [String], running program: [String], hasJoined: Bool) -> String {
        var flags: [String] = []
        if let run = arguments.firstIndex(of: "run"), let end = arguments.firstIndex(of: "--"), run < end {
            flags = Array(arguments[(run + 1)..<end])
        }
        if hasJoined { flags = RepeatedFlags.without("--capture", flags) + ["--capture", "other.sqlite"] }
        let shown = flags.map(RepeatedFlags.withoutPassword)
        let words = ["pinhole", "run", "--isolate"] + shown + ["--"] + program
        return ShellWord.command(words)
    }
}

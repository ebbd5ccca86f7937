import PinholeFiles

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
        if hasJoined { flags = withoutCapture(flags) + ["--capture", "other.sqlite"] }
        let words = ["pinhole", "run", "--isolate"] + flags.map(withoutPassword) + ["--"] + program
        return ShellWord.command(words)
    }

    private static func withoutCapture(_ flags: [String]) -> [String] {
        var kept: [String] = []
        var isValue = false
        for flag in flags {
            if isValue {
                isValue = false
            } else if flag == "--capture" {
                isValue = true
            } else if !flag.hasPrefix("--capture=") {
                kept.append(flag)
            }
        }
        return kept
    }

    /// Returns the URL of `--upstream-proxy` without its login, since build logs keep what is printed.
    private static func withoutPassword(_ flag: String) -> String {
        guard let scheme = flag.firstRange(of: "://"), let at = flag.lastIndex(of: "@"),
            scheme.upperBound <= at
        else { return flag }
        return "\(flag[..<scheme.upperBound])USER:PASSWORD\(flag[at...])"
    }
}

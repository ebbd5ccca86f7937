import PinholeFiles

/// The times at which processes were started, in clock ticks since the start of the system.
///
/// A number and a start time name one process, even if the number is assigned again.
enum StartTime {
    /// The start time of a process; `nil` if there is no such process.
    static func of(_ pid: Int32) -> UInt64? { File.text(of: "/proc/\(pid)/stat").flatMap(read) }

    /// Reads the 22nd field of `/proc/PID/stat` (proc_pid_stat(5)).
    static func read(_ line: String) -> UInt64? {
        // The second field is the name in parentheses, which may contain blanks and parentheses.
        guard let end = line.utf8.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = line[line.index(after: end)...].split(separator: " ")
        return fields.dropFirst(19).first.flatMap { UInt64($0) }
    }
}

import Glibc
import PinholeFiles
import PinholeSession

/// The users of processes, as the person who started this one sees them.
struct ProcessUsers {
    /// The user who started this process, also by sudo; `nil` for root itself.
    let caller: uid_t?
    /// Finds the user of a process; `nil` if there is no such process.
    let owner: (Int32) -> uid_t?

    /// The users of this machine's processes.
    static var current: ProcessUsers {
        ProcessUsers(caller: caller(getuid(), ProcessEnvironment.variables)) { pid in
            File.text(of: "/proc/\(pid)/status").flatMap(user)
        }
    }

    /// The user who started a process of a user; `nil` for root itself.
    static func caller(_ user: uid_t, _ environment: [String: String]) -> uid_t? {
        let number = user == 0 ? environment["SUDO_UID"].flatMap { uid_t($0) } : user
        return number == 0 ? nil : number
    }

    /// Reads the real user of `/proc/PID/status` (proc_pid_status(5)).
    static func user(_ status: String) -> uid_t? {
        let line = status.split(separator: "\n").first { $0.hasPrefix("Uid:") }
        return line.flatMap { $0.split(whereSeparator: \.isWhitespace).dropFirst().first }.flatMap {
            uid_t($0)
        }
    }

    /// Whether a process may be found by its name: root itself finds all.
    func mayName(_ pid: Int32) -> Bool { caller == nil || owner(pid) == caller }

    /// The name of the user of a process; `nil` if it is the caller's.
    func foreignOwner(of pid: Int32) -> String? {
        guard let owner = owner(pid), owner != caller ?? 0 else { return nil }
        return getpwuid(owner).map { String(cString: $0.pointee.pw_name) } ?? "\(owner)"
    }
}

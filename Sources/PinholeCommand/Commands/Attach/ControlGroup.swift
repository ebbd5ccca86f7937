import PinholeFiles

/// A cgroup of the unified hierarchy (cgroups(7)), by its folder.
struct ControlGroup: Equatable {
    /// The folder below which nft looks for cgroups.
    private static let root = "/sys/fs/cgroup"

    /// The absolute path of the folder.
    let folder: String
    /// The number of cgroups above this one; 0 for the root of the hierarchy.
    let level: Int

    /// Names a cgroup.
    init(folder: String, level: Int) {
        self.folder = folder
        self.level = level
    }

    /// Finds the cgroup of a process; `nil` if it is not mounted here, or has a name that nft cannot quote.
    ///
    /// Distributions mount the hierarchy at `/sys/fs/cgroup`, or beside older ones at `/sys/fs/cgroup/unified`.
    ///
    /// - Parameters:
    ///   - membership: The content of `/proc/PID/cgroup`.
    ///   - mounts: The content of `/proc/self/mountinfo`.
    init?(membership: String, mounts: String) {
        // The unified hierarchy has the number 0, and no controllers in its line.
        guard let line = membership.split(separator: "\n").first(where: { $0.hasPrefix("0::/") }) else {
            return nil
        }
        let path = line.dropFirst(3)
        let parts = path.split(separator: "/")
        guard !parts.contains("..") else { return nil }
        for mount in mounts.split(separator: "\n") {
            guard let (root, place) = Self.unified(mount) else { continue }
            let above = root.split(separator: "/")
            guard parts.starts(with: above) else { continue }
            let below = parts.dropFirst(above.count)
            folder = ([place] + below.map(String.init)).joined(separator: "/")
            level = parts.count
            guard folder.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f && $0 != UInt8(ascii: "\"") }) else {
                return nil
            }
            return
        }
        return nil
    }

    /// Finds the cgroup of a process of this machine.
    init?(of pid: Int32) {
        guard let membership = File.text(of: "/proc/\(pid)/cgroup"),
            let mounts = File.text(of: "/proc/self/mountinfo")
        else { return nil }
        self.init(membership: membership, mounts: mounts)
    }

    /// The cgroup without an attachment: the one around it, if `pinhole attach` made it.
    var origin: ControlGroup {
        guard level > 0, AttachPlan.isName(FilePath.name(of: folder)) else { return self }
        return ControlGroup(folder: FilePath.folder(of: folder), level: level - 1)
    }

    /// The cgroup with a name in this one.
    func child(_ name: String) -> ControlGroup {
        ControlGroup(folder: "\(folder)/\(name)", level: level + 1)
    }

    /// The file with the numbers of the processes; a number that is written there moves its process.
    var processes: String { "\(folder)/cgroup.procs" }

    /// The path by which nft finds the cgroup: relative to `/sys/fs/cgroup`, wherever the hierarchy is mounted.
    var pathForNft: String {
        let front = "\(Self.root)/"
        guard !folder.hasPrefix(front) else { return String(folder.dropFirst(front.count)) }
        return Self.root.split(separator: "/").map { _ in "../" }.joined() + folder.drop { $0 == "/" }
    }

    /// The part of the hierarchy that a mount shows, and its place; `nil` for another file system.
    private static func unified(_ line: Substring) -> (root: String, place: String)? {
        let fields = line.split(separator: " ")
        // Optional fields end with a hyphen, behind which the file system is named (proc_pid_mountinfo(5)).
        guard let end = fields.firstIndex(of: "-"), end >= 6, fields.dropFirst(end + 1).first == "cgroup2"
        else {
            return nil
        }
        return (unescaped(fields[3]), unescaped(fields[4]))
    }

    /// Decodes blanks, newlines and backslashes, which the kernel writes as octal numbers.
    private static func unescaped(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(3)
            if byte == UInt8(ascii: "\\"), digits.count == 3,
                let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
            {
                bytes.append(code)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

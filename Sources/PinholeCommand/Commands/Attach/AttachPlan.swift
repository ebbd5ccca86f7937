import PinholeModel

/// The changes of `pinhole attach` to the system: a cgroup for the program, and a table of nftables for that cgroup.
struct AttachPlan: Equatable {
    private static let prefix = "pinhole-"

    /// The process that is attached to.
    let pid: Int32
    /// The time at which it was started, since its number is assigned again after its end.
    let started: UInt64
    /// The cgroup in which the process runs already.
    let origin: ControlGroup
    /// The port of the listener for IPv4.
    let port: UInt16
    /// The port of the listener for IPv6; `nil` if this machine has no IPv6.
    let port6: UInt16?

    /// The name of the cgroup, of the table and of the undo file.
    var name: String { Self.name(of: "\(pid)") }

    /// The name for the number of a process.
    static func name(of pid: some StringProtocol) -> String { "\(prefix)\(pid)" }

    /// Whether a cgroup, table or undo file can be one of `pinhole attach`.
    static func isName(_ name: String) -> Bool {
        let number = name.dropFirst(prefix.count)
        return name.hasPrefix(prefix) && Int32(number).map { "\($0)" == number } ?? false
    }

    /// The cgroup of the program.
    ///
    /// The limits of the cgroup around it stay in force, and systemd still finds the process in its unit.
    var group: ControlGroup { origin.child(name) }

    /// The table.
    ///
    /// Sockets belong to the cgroup in which they were created, so connections that are open already stay as they are.
    /// Connections of Pinhole belong to another cgroup. UDP to port 443 is refused, so that clients of HTTP/3 use TCP.
    var rules: String {
        let match = "socket cgroupv2 level \(group.level) \"\(group.pathForNft)\""
        // Docker redirects in a chain of the priority -100, and the first rule wins.
        let redirections = [("ipv4", Optional(port)), ("ipv6", port6)].compactMap { family, port in
            port.map { "    \(match) meta nfproto \(family) meta l4proto tcp redirect to :\($0)\n" }
        }
        return """
            table inet \(name) {
              chain connections {
                type nat hook output priority -150
            \(redirections.joined())  }
              chain quic {
                type filter hook output priority 0
                \(match) udp dport 443 reject
              }
            }
            """
    }

    /// The arguments of ``AttachedCommand``, which makes the same plan of them.
    var arguments: [String] {
        ["--process", "\(pid)", "--started", "\(started)", "--cgroup", origin.folder, "--port", "\(port)"]
            + (port6.map { ["--port6", "\($0)"] } ?? [])
    }

    /// The steps, as commands for a shell.
    ///
    /// - Parameter processes: The processes that are moved.
    /// - Returns: The commands, in their order.
    func steps(moving processes: [Int32]) -> [String] {
        [
            "mkdir \(ShellWord.quoted(group.folder))",
            "nft \(ShellWord.command([rules]))",
            Self.move(processes.map(String.init).joined(separator: " "), to: group),
        ]
    }

    /// The steps that take everything back, as commands for a shell.
    var undoing: [String] {
        [
            "nft \(ShellWord.command([Self.removal(of: name)]))",
            Self.move("$(cat \(ShellWord.quoted(group.processes)))", to: origin),
            "rmdir \(ShellWord.quoted(group.folder))",
        ]
    }

    /// The command of nft that removes a table, and succeeds if there is none.
    static func removal(of table: String) -> String { "add table inet \(table); delete table inet \(table)" }

    private static func move(_ processes: String, to group: ControlGroup) -> String {
        "for pid in \(processes); do echo $pid > \(ShellWord.quoted(group.processes)); done"
    }
}

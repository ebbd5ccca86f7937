import ArgumentParser
import CLinux
import Glibc
import PinholeFiles
import PinholeModel
import PinholeSession

/// `pinhole attached`, the part of `pinhole attach` that runs as root.
///
/// It reads nothing from the network. It makes the changes of an ``AttachPlan``, reports on standard output, and takes
/// the changes back when its input ends: also if the other part is killed.
struct AttachedCommand: AsyncParsableCommand {
    static let name = "attached"
    static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "Part of “pinhole attach”.",
        shouldDisplay: false
    )

    @Option(help: "The process; without one, only what earlier ones left is taken back.")
    var process: Int32?

    @Option(help: "The time at which the process was started, in the unit of proc_pid_stat(5).")
    var started: UInt64 = 0

    @Option(help: "The folder of the process's cgroup.")
    var cgroup = ""

    @Option(help: "The port for IPv4.")
    var port: UInt16 = 0

    @Option(help: "The port for IPv6.")
    var port6: UInt16?

    /// The number of times that processes are moved until none is left: a process can start others meanwhile.
    private static let rounds = 100

    /// The folders of the system's programs, since root must not follow a user's PATH.
    private static let programs = ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin:/usr/local/sbin:/usr/local/bin"]

    func validate() throws {
        guard let process else { return }
        guard process > 0, port > 0, port6 != 0 else {
            throw ValidationError("expected a process and ports above 0")
        }
        guard process == getpid() || ProcessTree.current().ancestors(of: getpid()).contains(process) else {
            return
        }
        throw ValidationError("expected another process than a parent process of this one, found \(process)")
    }

    func run() async throws {
        guard geteuid() == 0 else {
            throw CommandFailure(.usage, "this command is the part of pinhole attach that runs as root")
        }
        // The end of the input alone ends this process, so that no signal to all processes of a terminal leaves
        // anything behind.
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] { signal(number, SIG_IGN) }
        guard let found = ExecutableSearch.path(of: "nft", Self.programs) else {
            throw CommandFailure(
                "attach needs the program nft, and there is none",
                remedy: "apt install nftables (dnf, pacman and apk have the same name)"
            )
        }
        let nft = try RootProgram.checked(found, owners: [0])
        let undo = AttachUndo(nft: nft)
        let plan = try plan()
        var hasFailed = false
        let file = try await undo.begin(plan) { name, failure in
            if let failure {
                StandardError.write("pinhole: \(failure)")
                hasFailed = true
            } else {
                Self.report(.undone(name))
            }
        } _: { plan throws(CommandFailure) in
            try await attach(plan, nft)
            Self.report(.attached)
        }
        guard let file, let plan else {
            if hasFailed { throw ExitCode(ExitStatus.couldNotRun.rawValue) }
            return
        }
        defer { close(file) }
        wait(plan, undo.patience)
        try await undo.end(plan)
    }

    /// The changes; `nil` without a process.
    private func plan() throws(CommandFailure) -> AttachPlan? {
        guard let process else { return nil }
        try Self.checkNetwork(of: process)
        guard StartTime.of(process) == started, let origin = ControlGroup(of: process)?.origin,
            origin.folder == cgroup
        else {
            throw Self.hasEnded(process)
        }
        return AttachPlan(pid: process, started: started, origin: origin, port: port, port6: port6)
    }

    private static func hasEnded(_ pid: Int32) -> CommandFailure {
        CommandFailure("the process \(pid) has ended or was moved into another cgroup meanwhile")
    }

    /// Throws if a process has another network than this one, as in a container.
    ///
    /// Without root, the networks of other users' processes are unknown, and nothing is thrown.
    static func checkNetwork(of pid: Int32) throws(CommandFailure) {
        guard let network = FilePath.target(ofLink: "/proc/\(pid)/ns/net"),
            network != FilePath.target(ofLink: "/proc/self/ns/net")
        else { return }
        throw CommandFailure(
            "the process \(pid) has a network of its own, as in a container",
            remedy: "sudo nsenter --net=/proc/\(pid)/ns/net sudo -u \"$USER\" pinhole attach \(pid)"
        )
    }

    /// Makes the changes.
    private func attach(_ plan: AttachPlan, _ nft: String) async throws(CommandFailure) {
        let group = plan.group
        // The number of a process that ends is assigned again, and the descriptor is not.
        let process = pinhole_pidfd_open(plan.pid)
        defer { if process >= 0 { close(process) } }
        guard process >= 0, StartTime.of(plan.pid) == plan.started else { throw Self.hasEnded(plan.pid) }
        guard ControlGroup(of: plan.pid) == plan.origin else {
            throw CommandFailure(
                "another pinhole attach is attached to a parent process of the process \(plan.pid)"
            )
        }
        try CommandFailure.wrapping("could not make the cgroup \(group.folder)") {
            try ControlGroupFolder(plan.origin.folder).make(plan.name)
        }
        if let reason = await ChildProcess.failure(of: nft, [plan.rules]) {
            throw CommandFailure(
                "nft refused the table \(plan.name): \(reason)",
                remedy: "this needs Linux 5.13 with nft_socket and nft_redir, and nftables 0.9.9"
            )
        }
        do throws(Errno) {
            let folder = try ControlGroupFolder(group.folder)
            // A process can start another between two looks, which stays in the old cgroup.
            var last: [Int32] = []
            for _ in 0..<Self.rounds {
                let processes = [plan.pid] + ProcessTree.current().descendants(of: plan.pid)
                let outside = processes.filter { ControlGroup(of: $0) == plan.origin }
                // A process that has ended, and whose parent did not ask for its exit code, cannot be moved.
                guard outside != last else { break }
                last = outside
                for process in outside { try folder.move(process) }
            }
            var end = pollfd(fd: process, events: Int16(POLLIN), revents: 0)
            guard poll(&end, 1, 0) == 0, ControlGroup(of: plan.pid) == group else {
                throw Errno(code: ESRCH)
            }
        } catch {
            throw CommandFailure(
                "could not move the process \(plan.pid) and its child processes into the cgroup \(group.folder): \(error)"
            )
        }
    }

    /// Waits until the input ends, and releases the processes as soon as a line asks for it.
    private func wait(_ plan: AttachPlan, _ patience: Duration) {
        let events = open("\(plan.group.folder)/cgroup.events", O_RDONLY | O_CLOEXEC)
        defer { if events >= 0 { close(events) } }
        var isWatching = true
        while true {
            if isWatching, !Self.isPopulated(events) {
                isWatching = false
                Self.report(.empty)
            }
            var ends = [
                pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
                // The kernel reports a change of the file in this way (cgroups(7)).
                pollfd(fd: isWatching ? events : -1, events: Int16(POLLPRI), revents: 0),
            ]
            guard poll(&ends, nfds_t(ends.count), -1) >= 0 || errno == EINTR else { return }
            guard ends[0].revents != 0 else { continue }
            var line = [UInt8](repeating: 0, count: 64)
            let count = read(STDIN_FILENO, &line, line.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            isWatching = false
            // The end tells why it fails.
            try? ControlGroupFolder.remove(plan.group.folder, within: patience)
            Self.report(.released)
        }
    }

    /// Whether a process is in the cgroup whose file of events is open; none is if the cgroup was removed.
    private static func isPopulated(_ events: Int32) -> Bool {
        var content = [UInt8](repeating: 0, count: 256)
        let count = pread(events, &content, content.count, 0)
        return count > 0 && String(decoding: content.prefix(count), as: UTF8.self).contains("populated 1")
    }

    private static func report(_ report: AttachReport) { StandardOutput.write(report.line) }
}

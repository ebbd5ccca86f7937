import ArgumentParser
import Glibc
import PinholeModel
import PinholeProxy
import PinholeRuntime
import PinholeSession

/// `pinhole attach`.
struct AttachCommand: AsyncParsableCommand, ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "attach",
        abstract: "See the traffic of a running program; asks for root.",
        discussion: """
            The program and its child processes are moved into a cgroup of their own, and the new TCP connections of that
            cgroup are redirected to a proxy. HTTP/3 is refused, so that clients use TCP. The changes are printed before
            sudo is asked to make them, and are taken back at the end: Ctrl-C, or the end of the program. Connections that
            are open already stay as they are. The program has to trust the CA (pinhole ca show).

            EXAMPLES
              pinhole attach firefox
              pinhole attach 4711
              pinhole attach --yes --verbose my-daemon
                  asks no question, and prints one line for each request on standard error
              pinhole attach --undo
                  takes back what a killed pinhole attach left; each start does so, too

            Linux alone has cgroups. docs/LISTENERS.md#a-program-that-runs-already
            """
    )

    @OptionGroup var configuration: ConfigurationOptions
    @OptionGroup var authority: AuthorityOptions
    @OptionGroup var capture: CaptureOptions
    @OptionGroup var session: SessionOptions
    @OptionGroup var rules: RuleOptions
    @OptionGroup var trust: HostTrustOptions
    @OptionGroup var upstream: UpstreamOptions
    @OptionGroup var interceptors: InterceptorOptions
    @OptionGroup var recorded: RecordedOptions
    @OptionGroup var telemetry: TelemetryOptions

    @Flag(help: "Make the changes without a question.")
    var yes = false

    @Flag(help: "Take back what a killed pinhole attach left, and do nothing else.")
    var undo = false

    @Flag(help: "Print no changes and no summary.")
    var quiet = false

    @Flag(help: "Print one line for each request on standard error.")
    var verbose = false

    @Argument(help: ArgumentHelp("The number or the name of the process.", valueName: "pid|name"))
    var process: String?

    /// The state of the other part of this command.
    private enum Phase {
        case starting
        case attached
        case releasing
        case ending
    }

    /// An event that ends a phase.
    private enum Event {
        case signal(Int32)
        case helper(HelperProcess.Event)
    }

    func validate() throws {
        guard (process == nil) == undo else {
            throw ValidationError(
                undo
                    ? "expected --undo alone, found a process as well"
                    : "expected the number or the name of a process, such as: pinhole attach firefox"
            )
        }
    }

    func run() async throws {
        Descriptors.keep()
        guard let process else {
            guard let count = try await takeBack() else { throw ExitCode(ExitStatus.couldNotRun.rawValue) }
            if count == 0, !quiet { StandardError.write("pinhole: there is nothing to take back") }
            return
        }
        let users = ProcessUsers.current
        var target: AttachTarget
        do {
            target = try AttachTarget(process, in: ProcessTree.current(), own: getpid(), users)
        } catch {
            // Each start takes back what a killed one left, also one that has no process to attach to.
            if geteuid() == 0 { _ = try? await takeBack() }
            throw error
        }
        let pid = target.process.pid
        guard let started = StartTime.of(pid) else {
            throw CommandFailure("the process \(pid) has ended meanwhile")
        }
        try AttachedCommand.checkNetwork(of: pid)
        guard let origin = ControlGroup(of: pid)?.origin else {
            throw CommandFailure(
                "the cgroup of the process \(pid) is not found: no cgroup2 file system that contains it is mounted here",
                remedy: "sudo mkdir -p /mnt/cgroup && sudo mount -t cgroup2 none /mnt/cgroup"
            )
        }
        target.keepChildren(in: origin)
        let file = self.configuration.file
        try file.askForConsent()
        var configuration = try loadForProgram(from: file)
        configuration.proxy.listen = Self.listeners()
        if !quiet { StandardError.write("pinhole: configuration \(file.summary)") }
        if geteuid() == 0, users.caller != nil {
            StandardError.write(
                "pinhole: warning: sudo runs the whole proxy as root; without it, pinhole attach asks for root itself"
            )
        }
        let session = try await ProgramSession(configuration, from: file, as: self)
        let helper: HelperProcess
        let events: AsyncStream<Event>
        let isWhole: Bool
        do {
            let ports = session.bound.map(\.address.port)
            let plan = AttachPlan(
                pid: pid,
                started: started,
                origin: origin,
                port: ports.first ?? 0,
                port6: ports.dropFirst().first
            )
            let command = try AttachHelper.command(plan.arguments)
            try confirm(plan, command, target)
            // Ctrl-C at the question ends this process.
            let watch = SignalWatch([SIGTERM, SIGINT, SIGHUP])
            helper = try await AttachHelper.start(command)
            events = Self.events(watch, helper)
            isWhole = try await stay(target, helper, events)
        } catch {
            session.close()
            throw error
        }
        await session.finish(
            unreached: [
                "the program opened no TCP connection while Pinhole was attached; connections from before stay as they were"
            ]
        )
        try await end(helper, events)
        if !isWhole { throw ExitCode(ExitStatus.couldNotRun.rawValue) }
    }

    /// The listeners: one for IPv4 and, if this machine has IPv6, one for IPv6.
    private static func listeners() -> [ListeningPoint] {
        ["127.0.0.1", "::1"].compactMap { IPAddress($0) }.map { SocketAddress($0, port: 0) }
            .filter { !$0.address.isVersion6 || $0.isAvailable }
            .map { ListeningPoint($0, .transparent(.redirect)) }
    }

    /// Prints the changes, and asks for them.
    private func confirm(
        _ plan: AttachPlan,
        _ command: [String],
        _ target: AttachTarget
    ) throws(CommandFailure) {
        if yes, quiet { return }
        let processes = [target.process.pid] + target.children
        let steps =
            [ShellWord.command(command), "which does:"] + plan.steps(moving: processes)
            + ["and at the end:"] + plan.undoing
        StandardError.write("pinhole: attaches to \(target.description) by these changes as root:")
        // Lines that are wrapped for a terminal would not be the commands any more.
        for step in steps {
            FileDescriptorOutput.write("  \(step.replacing("\n", with: "\n  "))\n", to: STDERR_FILENO)
        }
        guard !yes else { return }
        guard isatty(STDIN_FILENO) == 1 else {
            throw CommandFailure(.usage, "expected --yes, or a terminal on which to confirm the changes")
        }
        StandardError.write("pinhole: make them? Write yes and press Return; anything else refuses:")
        guard let answer = readLine()?.trimmed.lowercased(), ["y", "yes"].contains(answer) else {
            throw CommandFailure(.negative, "nothing was changed")
        }
    }

    private static func events(_ watch: SignalWatch, _ helper: HelperProcess) -> AsyncStream<Event> {
        let (events, continuation) = AsyncStream.makeStream(of: Event.self)
        let signals = Task { for await number in watch.signals { continuation.yield(.signal(number)) } }
        Task {
            for await event in helper.events { continuation.yield(.helper(event)) }
            signals.cancel()
            continuation.finish()
        }
        return events
    }

    /// Waits until a signal or the end of the program, and until the processes are back in their cgroup.
    ///
    /// - Returns: Whether the other part was there until the end.
    private func stay(
        _ target: AttachTarget,
        _ helper: HelperProcess,
        _ events: AsyncStream<Event>
    ) async throws(CommandFailure) -> Bool {
        var phase = Phase.starting
        for await event in events {
            switch event {
            case .signal:
                if phase == .starting {
                    phase = .ending
                    helper.closeInput()
                } else if phase == .attached {
                    phase = .releasing
                    helper.say("release")
                }
            case .helper(.complaint(let line)): StandardError.write(line)
            case .helper(.line(let line)):
                switch AttachReport(line) {
                case .undone(let name): Self.reportRemoval(name)
                case .attached where phase == .starting:
                    phase = .attached
                    if !quiet {
                        StandardError.write(
                            "pinhole: attached to \(target.description); Ctrl-C takes everything back"
                        )
                    }
                case .empty where phase == .attached:
                    if !quiet {
                        StandardError.write("pinhole: \(Plain.printable(target.process.name)) has ended")
                    }
                    return true
                case .released: return true
                case .attached, .empty, nil: break
                }
            case .helper(.ended(let reason)):
                guard phase == .attached || phase == .releasing else {
                    throw phase == .starting
                        ? CommandFailure("nothing is attached")
                        : CommandFailure(.negative, "nothing is attached any more")
                }
                try await replace(helper, reason)
                return false
            }
        }
        return true
    }

    /// Takes back the changes in the place of the other part, while the listeners are still open.
    ///
    /// Another program that binds a port of the table would get the connections.
    private func replace(_ helper: HelperProcess, _ reason: String) async throws(CommandFailure) {
        let ending = "the part of pinhole attach that runs as root has ended (\(Plain.printable(reason)))"
        helper.closeInput()
        let count: Int?
        do throws(CommandFailure) {
            count = try await takeBack()
        } catch {
            StandardError.write("pinhole: \(error)")
            count = nil
        }
        guard count != nil else {
            throw CommandFailure(
                "\(ending), and its changes may be left",
                remedy: "pinhole attach --undo"
            )
        }
        StandardError.write("pinhole: \(ending); everything is taken back")
    }

    /// Ends the other part, and waits until everything is taken back.
    private func end(_ helper: HelperProcess, _ events: AsyncStream<Event>) async throws {
        helper.closeInput()
        for await event in events {
            switch event {
            case .helper(.complaint(let line)): StandardError.write(line)
            case .helper(.ended(let reason)) where reason != HelperProcess.success:
                throw ExitCode(ExitStatus.couldNotRun.rawValue)
            default: break
            }
        }
    }

    /// Takes back what earlier ones left.
    ///
    /// - Returns: The number of attachments that were taken back; `nil` if something may be left.
    private func takeBack() async throws(CommandFailure) -> Int? {
        let helper = try await AttachHelper.start(try AttachHelper.command([]))
        helper.closeInput()
        var (count, hasFailed) = (0, false)
        for await event in helper.events {
            switch event {
            case .line(let line):
                guard case .undone(let name) = AttachReport(line) else { continue }
                Self.reportRemoval(name)
                count += 1
            // A warning of sudo is no failure.
            case .complaint(let line): StandardError.write(line)
            case .ended(let reason): hasFailed = reason != HelperProcess.success
            }
        }
        return hasFailed ? nil : count
    }

    private static func reportRemoval(_ name: String) {
        StandardError.write(
            "pinhole: took back \(Plain.printable(name)), which a killed pinhole attach had left"
        )
    }
}

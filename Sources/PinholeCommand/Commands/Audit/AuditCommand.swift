import ArgumentParser
import Glibc
import PinholeFiles
import PinholeFormats
import PinholeLab
import PinholeModel
import PinholePolicies
import PinholeReports
import PinholeRuntime
import PinholeSession
import PinholeTrust

/// `pinhole audit`.
struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Attack a program of yours, as the lab does.",
        discussion: """
            Pinhole runs the program once for each scenario. Each run has its own man in the middle, device and
            certificates; nothing is installed. The first run meets the honest server, the second one a man in the middle
            whose CA the program does not trust. The program has to send a request in each run: only a request shows that
            it trusts the server. The proxy and the roots are set in its environment, as by “pinhole run”. In its arguments,
            these words in braces are replaced:

            \(AuditPlaceholders.help.map { "  {\($0.name)}  \($0.text)" }.joined(separator: "\n"))

            Exit codes: 0 as expected, 1 an attack was missed or a legitimate change refused, 2 wrong usage, 3 a
            scenario is inconclusive or the program could not be run.

            EXAMPLES
              pinhole audit -- curl -s {url}
                  a client that does not pin misses A02
              pinhole audit -- curl -s --pinnedpubkey 'sha256//{pin};sha256//{pin-backup}' {url}
                  a client that pins
              pinhole audit --only attacks --json - -- python3 app.py {url}
              pinhole audit --listen 127.0.0.1:0 -- curl -s --connect-to ::{address} {url}
                  a program that uses no proxy
              pinhole audit --starttls smtp -- curl -s --ssl-reqd --connect-to ::{address} smtp://{host}:{port}
                  a mail client
              pinhole audit --listen 0.0.0.0:8443 --scenario A01
                  waits for a phone
              pinhole audit --why -- curl -s {url}
                  the facts about a server that the program insists on
              pinhole audit --plan plan.json --day 2027-01-31 -- curl -s --pinnedpubkey {pins} {url}
                  a day of “pinhole pins rotate”, with each release that users have

            docs/LAB.md#your-own-program explains how a program is judged.
            """
    )

    @OptionGroup var selection: LabScenarioOptions

    @OptionGroup var reports: LabReportOptions

    @Option(help: .value("host", "The name of the host that the program means."), transform: FlagValue.host)
    var host = LabWorld.standardHost

    @Option(
        help: .value(
            "address",
            "The address for programs that use no proxy; without a command, the audit waits for them."
        ),
        transform: {
            try FlagValue.parse($0) { (text) throws(AddressFailure) in try SocketAddress(listening: text) }
        }
    )
    var listen: SocketAddress?

    @Option(
        help: ArgumentHelp(
            """
            Speak this protocol until the program starts TLS: \
            \(StartTLS.Name.allCases.map(\.rawValue).joined(separator: ", ")).
            """,
            valueName: "protocol"
        ),
        transform: { (text) throws(ValidationError) in
            guard let name = StartTLS.Name(rawValue: text.lowercased()) else {
                throw ValidationError("expected a protocol such as smtp, found “\(text)”")
            }
            return StartTLS(name)
        }
    )
    var starttls: StartTLS?

    @Flag(
        help:
            "Find the smallest set of facts about the server that the program insists on, instead of running scenarios."
    )
    var why = false

    @Option(help: .value("file", "Play a day of this plan of rotation (pinhole pins rotate) instead."))
    var plan: String?

    @Option(
        help: .value("date", "The day of the plan, such as 2027-01-31."),
        transform: { (text) throws(ValidationError) in
            guard let day = RotationDocument.day(text) else {
                throw ValidationError("expected a day such as 2027-01-31, found “\(text)”")
            }
            return day
        }
    )
    var day: RotationPlan.Day?

    @OptionGroup var files: FilesOption

    @Option(name: .customLong("repeat"), help: "The number of runs of each scenario.")
    var repetitions = 1

    @Option(help: "The longest time of one run, in seconds (20; 120 without a command).")
    var timeout: Double?

    @Argument(parsing: .postTerminator, help: "The program and its arguments, after “--”.")
    var command: [String] = []

    func validate() throws {
        if command.first?.isEmpty ?? (entrance == nil) {
            throw ValidationError(
                "expected a program after “--”, such as: pinhole audit -- curl -s {url} (or --listen to wait for one)"
            )
        }
        guard (1...1000).contains(repetitions) else {
            throw ValidationError("expected --repeat of 1 to 1000, found \(repetitions)")
        }
        if let timeout, !(0.1...86_400).contains(timeout) {
            throw ValidationError("expected --timeout of 0.1 to 86400 seconds, found \(timeout)")
        }
        guard host.name != nil else {
            throw ValidationError("expected the name of a host in --host, found the address \(host)")
        }
        guard (plan == nil) == (day == nil) else {
            throw ValidationError("expected --plan and --day together")
        }
        if plan != nil {
            guard AuditPlaceholders.takesRelease(command) else {
                throw ValidationError(
                    "expected {policy} or {pins} in the command: the program must pin the keys of the lab"
                )
            }
            guard !why, selection.isWhole, !reports.hasMoreThanJSON else {
                throw ValidationError("expected --plan with --json alone, which runs no scenarios")
            }
        }
        if why, !selection.isWhole || reports.hasMoreThanJSON {
            throw ValidationError("expected --why with --json alone, which runs no scenarios")
        }
        let proxy = "{\(AuditPlaceholders.proxyName)}"
        if entrance != nil, command.contains(where: { $0.contains(proxy) }) {
            throw ValidationError(
                "expected no \(proxy) where there is no proxy (--listen, --starttls): use {address}"
            )
        }
    }

    func run() async throws {
        try ProcessLimits.requireDescriptors()
        let expectation = try reports.expectation()
        guard !why else { return try await explain() }
        if let plan, let day { return try await play(try await PlanFile.read(plan, files), on: day) }
        let report = try await interruptible { try await audit() }
        var document = LabDocument(report.report)
        try selection.mark(&document, of: available)
        try await reports.finish(
            document,
            expecting: expectation,
            isPart: selection.shard != nil,
            obstacle: report.isControlled || report.neverStartsTLS
                ? nil : "the program failed with the honest server"
        )
        // One part of a divided run cannot judge its row, but it can tell that the program is open to everybody.
        if report.isOpenToEverybody { throw ExitCode(ExitStatus.negative.rawValue) }
    }

    /// The scenarios that the program can be audited with.
    private var available: [Scenario] {
        Scenario.auditable(
            directly: entrance != nil,
            speaksHTTP: starttls == nil,
            naming: selection.names
        )
    }

    /// The address for programs that use no proxy; `nil` if the program has to use the proxy.
    private var entrance: SocketAddress? {
        listen ?? (starttls == nil ? nil : SocketAddress(.loopback, port: 0))
    }

    /// Does work that a signal ends, with the exit code of that signal.
    private func interruptible<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let work = Task { try await body() }
        let watch = SignalWatch([SIGINT, SIGTERM, SIGHUP])
        let stopping = Task { () -> Int32 in
            for await signal in watch.signals {
                work.cancel()
                return signal
            }
            return 0
        }
        let result = await work.result
        watch.cancel()
        if work.isCancelled { throw ExitCode(128 + (await stopping.value)) }
        stopping.cancel()
        return try result.get()
    }

    /// Finds the facts that the program insists on, and shows them.
    private func explain() async throws {
        let found = try await interruptible { try await insistence() }
        if let json = reports.json {
            try ReportFile.write(JSONLine.text(found.json), to: json)
        }
        if found.honest.isUnprotected { throw ExitCode(ExitStatus.negative.rawValue) }
        guard !found.trials.isEmpty else { throw ExitCode(ExitStatus.couldNotRun.rawValue) }
        if found.validatesNothing { throw ExitCode(ExitStatus.negative.rawValue) }
    }

    private func audit() async throws -> AuditReport {
        let scenarios = try selection.scenarios(of: available)
        return try await stage { run, text, progress, tell throws(LabFailure) in
            var run = run
            run.controlled = { [command] honest in
                if !honest.isRequest { tell(text.obstacle(honest, command)) }
            }
            run.progress = { cell in
                guard let index = scenarios.firstIndex(where: { $0.id == cell.scenario }) else { return }
                if index == 0 { tell(text.heading) }
                tell(text.cell(cell, scenarios[index]))
            }
            let count = run.runs(of: scenarios)
            run.begins = { progress.begin(of: count, "\($0.id) \($0.title)") }
            let report = try await run.run(scenarios)
            tell("\n\(text.summary(report))")
            return report
        }
    }

    /// Plays a day of a plan with each release, and compares with what was predicted.
    private func play(_ plan: RotationPlan, on day: RotationPlan.Day) async throws {
        guard plan.days.contains(day) else {
            throw CommandFailure(.usage, "the day is not among those of the plan, which pins rotate shows")
        }
        let found = try await interruptible { try await played(plan, on: day) }
        if let json = reports.json { try ReportFile.write(JSONLine.text(found.json), to: json) }
        if found.releases.contains(where: { $0.observation.decision == .undecided }) {
            throw ExitCode(ExitStatus.couldNotRun.rawValue)
        }
        if !found.isAsPredicted { throw ExitCode(ExitStatus.negative.rawValue) }
    }

    private func played(_ plan: RotationPlan, on day: RotationPlan.Day) async throws -> SimulatedDay {
        try await stage(of: plan.host) { run, text, progress, tell throws(LabFailure) in
            let play = RotationSimulation(Rotation(plan), on: day, in: run.world)
            let count = play.releases.count * repetitions
            var found = SimulatedDay(host: plan.host, day: day, step: play.step)
            tell(text.heading(of: found))
            for (release, predicted) in play.releases {
                var run = run
                run.begins = { _ in progress.begin(of: count, release.version) }
                if var program = run.subject as? AuditedProgram {
                    program.release = SimulatedRelease(
                        file: play.file(of: release),
                        pins: play.pins(of: release)
                    )
                    run = run.auditing(program)
                }
                let observation = try await run.observation(of: play.scenario)
                found.releases.append(
                    SimulatedDay.Release(
                        version: release.version,
                        predicted: predicted,
                        observation: observation
                    )
                )
                if let last = found.releases.last { tell(text.line(of: last)) }
            }
            tell("\n\(text.summary(found))")
            return found
        }
    }

    private func insistence() async throws -> AuditInsistence {
        try await stage { run, text, progress, tell throws(LabFailure) in
            var run = run
            run.begins = { progress.begin(of: AuditRun.whySteps * repetitions, $0.title) }
            var order = 0
            let found = try await run.insistence { step in
                if step.fact == nil {
                    tell(step.isAccepted ? text.whyHeading : text.obstacle(step.observation, command))
                }
                if step.order != order { tell("\nin the other order") }
                order = step.order
                tell(text.step(step))
            }
            if !found.trials.isEmpty { tell("\n\(text.summary(found))") }
            return found
        }
    }

    /// Sets the stage for the program, and lets it act there.
    private func stage<Result>(
        of host: Host? = nil,
        _ act: (AuditRun, AuditText, ProgressLine, @escaping @Sendable (String) -> Void)
            async throws(LabFailure)
            -> Result
    ) async throws -> Result {
        let directory = try PrivateDirectory()
        defer { directory.remove() }
        let isAside = reports.takesStandardOutput
        let descriptor = isAside ? STDERR_FILENO : STDOUT_FILENO
        let text = AuditText(style: .forDescriptor(descriptor), width: Terminal.width(descriptor))
        let progress = ProgressLine()
        defer { progress.end() }
        let tell: @Sendable (String) -> Void = {
            let line = $0
            progress.aside { if isAside { StandardError.write(line) } else { StandardOutput.show(line) } }
        }
        do throws(LabFailure) {
            let world = try makeWorld(host ?? self.host)
            var entry: DirectEntry?
            if let entrance { entry = try await DirectEntry.start(on: entrance) }
            defer { entry?.stop() }
            var run = AuditRun(name, title, subject(directory), in: world)
            run.file = ProgramFile.path(of: command)
            run.digest = command.isEmpty ? nil : LabPolicy.digest(of: command)
            run.repetitions = repetitions
            run.entry = entry
            run.startTLS = starttls
            return try await act(run, text, progress, tell)
        } catch {
            throw CommandFailure(error.description)
        }
    }

    private func makeWorld(_ host: Host) throws(LabFailure) -> LabWorld {
        try LabFailure.wrapping("the lab's certificates could not be made") {
            try LabWorld(host: host)
        }
    }

    private func subject(_ directory: PrivateDirectory) -> any AuditSubject {
        guard !command.isEmpty else {
            return AwaitedClient(timeout: .seconds(timeout ?? 120), directory: directory)
        }
        return AuditedProgram(
            command: command,
            timeout: .seconds(timeout ?? 20),
            isDirect: entrance != nil,
            isVerbose: reports.verbose
        )
    }

    /// The name of the row: the program's, without its folder.
    private var name: String {
        command.first.map(FilePath.name) ?? "client"
    }

    private var title: String {
        command.isEmpty ? "a client that connected by itself" : command.joined(separator: " ")
    }
}

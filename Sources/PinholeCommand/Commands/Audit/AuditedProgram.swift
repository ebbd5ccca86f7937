import Glibc
import PinholeCrypto
import PinholeLab
import PinholeLock
import PinholeRuntime
import PinholeTrust
import Subprocess

/// A command of the user that is run once for each scenario, in its own session, so that its child processes can be
/// ended with it.
struct AuditedProgram: AuditSubject {
    /// The program and its arguments, with placeholders.
    let command: [String]
    /// The time after which a run is ended.
    let timeout: Duration
    /// Whether the program connects without a proxy.
    let isDirect: Bool
    /// Whether the output of the program is shown.
    let isVerbose: Bool
    /// The release that the program stands for; `nil` without a plan.
    var release: SimulatedRelease?

    /// The state of the process that runs.
    private struct State {
        var process: pid_t?
        var isTimedOut = false
    }

    /// The interval at which the processes that a program left behind are checked.
    private static let interval = Duration.milliseconds(20)

    func visit(_ stage: AuditStage) async throws(LabFailure) -> AuditVisit {
        do {
            let directory = try PrivateDirectory()
            defer { directory.remove() }
            let roots = try stage.roots.map { try Certificate(der: $0.der) }
            let variables = try ChildEnvironment(in: directory).variables(
                trusting: roots,
                port: isDirect ? nil : stage.address.port
            )
            let placeholders = try AuditPlaceholders(
                stage,
                bundle: "\(directory.path)/\(ChildEnvironment.bundleName)",
                isDirect: isDirect,
                release: release,
                in: directory
            )
            return try await run(command.map(placeholders.fill), variables, stage, in: directory)
        } catch let failure as LabFailure {
            throw failure
        } catch {
            throw LabFailure("\(error)")
        }
    }

    private func run(
        _ words: [String],
        _ variables: [String: String?],
        _ stage: AuditStage,
        in directory: PrivateDirectory
    ) async throws -> AuditVisit {
        let name = words.first ?? ""
        var options = PlatformOptions()
        options.createSession = true
        let files = try AuditOutput(in: directory, isShown: isVerbose)
        defer { files.close() }
        let state = Lock(State())
        let deadline = ContinuousClock.now + timeout
        defer { state.withLock { Self.endGroup($0.process) } }
        let status: TerminationStatus
        do {
            let result = try await Subprocess.run(
                ChildProcess.executable(name),
                arguments: Arguments(Array(words.dropFirst())),
                environment: ChildProcess(command: words, variables: variables).environment,
                platformOptions: options,
                input: .none,
                output: .fileDescriptor(try AuditOutput.wrap(files.output), closeAfterSpawningProcess: false),
                error: .fileDescriptor(try AuditOutput.wrap(files.errors), closeAfterSpawningProcess: false)
            ) { execution in
                let process = execution.processIdentifier.value
                state.withLock { $0.process = process }
                return Task {
                    try await Task.sleep(until: deadline)
                    // Ending the process closes its connections, which is not a decision of the program.
                    stage.freeze()
                    state.withLock { $0.isTimedOut = true }
                    Self.endGroup(process)
                }
            }
            result.closureResult.cancel()
            status = result.terminationStatus
        } catch is CancellationError {
            throw LabFailure("the audit was interrupted")
        } catch {
            throw LabFailure("could not run \(name): \(error)")
        }
        await waitForRest(of: state.withLock { $0.process }, stage, until: deadline)
        let isTimedOut = state.withLock { $0.isTimedOut }
        return AuditVisit(isTimedOut ? .timedOut : Self.end(status), lastLine: files.lastLine)
    }

    /// Waits, in the remaining time, for processes that a program left behind to do its work.
    private func waitForRest(
        of process: pid_t?,
        _ stage: AuditStage,
        until deadline: ContinuousClock.Instant
    ) async {
        guard let process else { return }
        while kill(-process, 0) == 0, !stage.isSettled {
            guard ContinuousClock.now < deadline, !Task.isCancelled else { return stage.freeze() }
            try? await Task.sleep(for: Self.interval)
        }
    }

    private static func endGroup(_ process: pid_t?) {
        if let process { kill(-process, SIGKILL) }
    }

    private static func end(_ status: TerminationStatus) -> AuditVisit.End {
        switch status {
        case .exited(let code): .exited(code)
        case .signaled(let signal): .signalled(signal)
        }
    }
}

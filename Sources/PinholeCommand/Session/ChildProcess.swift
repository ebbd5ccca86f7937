import Glibc
import PinholeRuntime
import Subprocess

/// A program that is run to its end, with some variables of its own.
struct ChildProcess {
    /// The program and its arguments.
    let command: [String]
    /// Variables to set, or with `nil` to remove.
    let variables: [String: String?]

    /// How long a program that is asked to end may take for it.
    private static let patience = Duration.seconds(3)
    /// The time after Ctrl-C before a line says that the program still runs.
    private static let pause = Duration.milliseconds(500)

    /// Runs the program in the foreground, with our standard input and output, as the shell would run it, and passes
    /// signals on to it.
    ///
    /// It stays in our process group, so the terminal's own signals (Ctrl-C, Ctrl-Z) reach it directly.
    ///
    /// - Parameter watch: The signals that we get meanwhile.
    /// - Returns: The exit code as a shell has it: 128 + n for signal n.
    /// - Throws: ``CommandFailure`` when it cannot be started.
    func run(_ watch: SignalWatch) async throws(CommandFailure) -> Int32 {
        do {
            let result = try await Subprocess.run(
                Self.executable(name),
                arguments: Arguments(Array(command.dropFirst())),
                environment: environment,
                input: .currentStandardInput,
                output: .currentStandardOutput,
                error: .currentStandardError
            ) { execution in
                let process = execution.processIdentifier.value
                return Task {
                    var telling: Task<Void, any Error>?
                    for await signal in watch.signals {
                        if !Self.comesFromTerminal(signal) {
                            kill(process, signal)
                        } else if telling == nil {
                            telling = Task { try await tellThatItRuns() }
                        }
                    }
                    telling?.cancel()
                }
            }
            result.closureResult.cancel()
            return Self.code(result.terminationStatus)
        } catch {
            throw CommandFailure(.couldNotRun, "could not run \(name): \(error)")
        }
    }

    /// Says that Pinhole waits for the program, which may ignore Ctrl-C, as an interactive interpreter does.
    private func tellThatItRuns() async throws {
        try await Task.sleep(for: Self.pause)
        StandardError.write(
            "pinhole: waiting for \(name), which has got the Ctrl-C and still runs; Ctrl-\\ ends most programs at once"
        )
    }

    /// Runs the program beside us: nothing of it is seen or heard here, and what is typed is not for it.
    ///
    /// It has a session of its own, so that no signal of the terminal reaches it. Where the task is cancelled, it is
    /// asked to end together with what it started, and ended where it does not.
    ///
    /// - Parameter started: Is called as soon as it runs.
    /// - Returns: The exit code as a shell has it: 128 + n for signal n.
    /// - Throws: ``CommandFailure`` when it cannot be started.
    func runBeside(_ started: () -> Void) async throws(CommandFailure) -> Int32 {
        var options = PlatformOptions()
        options.createSession = true
        options.teardownSequence = [
            .gracefulShutDown(toProcessGroup: true, allowedDurationToNextStep: Self.patience)
        ]
        do {
            let result = try await Subprocess.run(
                Self.executable(name),
                arguments: Arguments(Array(command.dropFirst())),
                environment: environment,
                platformOptions: options,
                input: .none,
                output: .discarded,
                error: .discarded
            ) { _ in started() }
            return Self.code(result.terminationStatus)
        } catch {
            throw CommandFailure(.couldNotRun, "could not run \(name): \(error)")
        }
    }

    private var name: String { command.first ?? "" }

    private var environment: Environment {
        var changes: [Environment.Key: String?] = [:]
        for (name, value) in variables {
            if let key = Environment.Key(rawValue: name) { changes.updateValue(value, forKey: key) }
        }
        return .inherit.updating(changes)
    }

    /// The program called `name`: a path where it holds a slash, otherwise looked for as a shell does.
    static func executable(_ name: String) -> Executable {
        name.contains("/") ? .path(literal(name)) : .name(name)
    }

    /// A path, which only the library's own dependency could make otherwise.
    private static func literal<Path: ExpressibleByStringLiteral>(_ text: String) -> Path
    where Path.StringLiteralType == String { Path(stringLiteral: text) }

    private static func code(_ status: TerminationStatus) -> Int32 {
        switch status {
        case .exited(let code): code
        case .signaled(let signal): 128 + signal
        }
    }

    /// Whether the child has got the signal already.
    ///
    /// The terminal sends Ctrl-C and Ctrl-\ to everybody in the
    /// foreground. Somebody who means us alone uses SIGTERM, and that is passed on.
    private static func comesFromTerminal(_ signal: Int32) -> Bool {
        guard signal == SIGINT || signal == SIGQUIT else { return false }
        return [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].contains { tcgetpgrp($0) == getpgrp() }
    }
}

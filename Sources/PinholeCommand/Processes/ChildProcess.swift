import Glibc
import PinholeRuntime
import PinholeSession
import Subprocess

/// A program that is run to its end, with additional environment variables.
struct ChildProcess {
    /// The program and its arguments.
    let command: [String]
    /// Variables to set, or with `nil` to remove.
    let variables: [String: String?]

    /// The time that a program has to end after it was asked to.
    private static let patience = Duration.seconds(3)
    /// The time after Ctrl-C before a line says that the program still runs.
    private static let pause = Duration.milliseconds(500)

    /// Runs the program in the foreground with the standard input and output of Pinhole, and forwards signals to it.
    ///
    /// The program stays in the process group of Pinhole, so the terminal's signals (Ctrl-C, Ctrl-Z) reach it directly.
    ///
    /// - Parameter watch: The signals that Pinhole receives while the program runs.
    /// - Returns: The exit code as a shell reports it: 128 + n for signal n.
    /// - Throws: ``CommandFailure`` if the program cannot be started.
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
                            telling = Task { try await reportWaiting() }
                        }
                    }
                    telling?.cancel()
                }
            }
            result.closureResult.cancel()
            return Self.code(result.terminationStatus)
        } catch {
            throw CommandFailure("could not run \(name): \(error)")
        }
    }

    /// Writes that Pinhole waits for the program, which may ignore Ctrl-C, as an interactive interpreter does.
    private func reportWaiting() async throws {
        try await Task.sleep(for: Self.pause)
        StandardError.write(
            "pinhole: waiting for \(name), which has got the Ctrl-C and still runs; Ctrl-\\ ends most programs at once"
        )
    }

    /// The output of a program that has ended.
    struct Output {
        /// The exit code as a shell reports it: 128 + n for signal n.
        let code: Int32
        let bytes: [UInt8]
        /// The standard error.
        let errors: String

        var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    /// Runs the program to its end, without input and without visible output.
    ///
    /// - Returns: Its output, at most 16 MiB.
    /// - Throws: ``CommandFailure`` if the program cannot be started.
    func read() async throws(CommandFailure) -> Output {
        do {
            let result = try await Subprocess.run(
                Self.executable(name),
                arguments: Arguments(Array(command.dropFirst())),
                environment: environment,
                input: .none,
                output: .bytes(limit: 16 << 20),
                error: .string(limit: 1 << 20)
            )
            let code = Self.code(result.terminationStatus)
            return Output(code: code, bytes: result.standardOutput, errors: result.standardError.trimmed)
        } catch {
            throw CommandFailure("could not run \(name): \(error)")
        }
    }

    /// Runs a program of the system as ``read()`` does.
    ///
    /// - Returns: The reason for which it failed, in its own words if it has any; `nil` if it succeeded.
    static func failure(of program: String, _ arguments: [String]) async -> String? {
        do throws(CommandFailure) {
            let output = try await ChildProcess(command: [program] + arguments, variables: [:]).read()
            guard output.code != 0 else { return nil }
            return output.errors.isEmpty ? "exit code \(output.code)" : output.errors
        } catch {
            return error.message
        }
    }

    /// Returns the output of a program of the system; `nil` if the program is missing or fails.
    static func text(of program: String, _ arguments: [String]) async -> String? {
        let child = ChildProcess(command: [program] + arguments, variables: [:])
        guard let output = try? await child.read(), output.code == 0 else { return nil }
        return output.text
    }

    /// Runs the program in the background, without input and without visible output.
    ///
    /// The program has its own session, so that no signal of the terminal reaches it. If the task is cancelled, the
    /// program and its child processes are asked to end, and are killed if they do not end in time.
    ///
    /// - Parameter started: Called as soon as the program runs.
    /// - Returns: The exit code as a shell reports it: 128 + n for signal n.
    /// - Throws: ``CommandFailure`` if the program cannot be started.
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
            throw CommandFailure("could not run \(name): \(error)")
        }
    }

    private var name: String { command.first ?? "" }

    /// The environment of this process with the changes of ``variables``.
    var environment: Environment {
        var changes: [Environment.Key: String?] = [:]
        for (name, value) in variables {
            if let key = Environment.Key(rawValue: name) { changes.updateValue(value, forKey: key) }
        }
        return .inherit.updating(changes)
    }

    /// Returns the program called `name`: a path if it contains a slash, otherwise a name to look up as a shell does.
    static func executable(_ name: String) -> Executable {
        name.contains("/") ? .path(literal(name)) : .name(name)
    }

    /// Converts a text to the path type of a module that this file does not import.
    private static func literal<Path: ExpressibleByStringLiteral>(_ text: String) -> Path
    where Path.StringLiteralType == String { Path(stringLiteral: text) }

    private static func code(_ status: TerminationStatus) -> Int32 {
        switch status {
        case .exited(let code): code
        case .signaled(let signal): 128 + signal
        }
    }

    /// Whether the terminal has sent the signal to the child already.
    ///
    /// The terminal sends Ctrl-C and Ctrl-\ to all processes in the foreground. A signal for Pinhole alone, usually
    /// SIGTERM, is forwarded.
    private static func comesFromTerminal(_ signal: Int32) -> Bool {
        guard signal == SIGINT || signal == SIGQUIT else { return false }
        return [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].contains { tcgetpgrp($0) == getpgrp() }
    }
}

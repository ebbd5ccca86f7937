import Dispatch
import Foundation
import Glibc
import PinholeLock

/// A program that runs beside us, with lines on its standard input and output; its standard error is ours.
///
/// It is in a process group of its own, so that Ctrl-C does not end it before the exchanges that wait for it.
final class ProgramProcess: Sendable {
    /// The process; nothing is sent to its number once it was waited for, since another may have it then.
    private struct State {
        var isRunning = true
        var isClosed = false
    }

    private let number: pid_t
    private let input: Int32
    private let state = Lock(State())
    /// Writes, and waits for a program that does not read.
    private let writing: DispatchQueue

    /// The longest answer: a body of 64 MiB in Base64, and some room.
    private static let lineLimit = 96 << 20

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - command: The program, looked for as a shell does, and its arguments.
    ///   - line: Is given each line, on a queue of this process; false ends it.
    ///   - end: Is told, once, how it ended.
    /// - Throws: ``SystemFailure`` where it cannot be started.
    init(
        _ command: [String],
        line: @escaping @Sendable ([UInt8]) -> Bool,
        end: @escaping @Sendable (String) -> Void
    ) throws(SystemFailure) {
        signal(SIGPIPE, SIG_IGN)
        let (childInput, input) = try Self.pipe()
        let output: Int32
        let childOutput: Int32
        do throws(SystemFailure) {
            (output, childOutput) = try Self.pipe()
        } catch {
            close(childInput)
            close(input)
            throw error
        }
        defer {
            close(childInput)
            close(childOutput)
        }
        do throws(SystemFailure) {
            number = try Self.spawn(command, input: childInput, output: childOutput)
        } catch {
            close(input)
            close(output)
            throw error
        }
        self.input = input
        writing = DispatchQueue(label: "pinhole.program.writing")
        DispatchQueue(label: "pinhole.program.reading").async { [self] in
            read(output, line)
            end(waitForEnd())
        }
    }

    /// Sends a line.
    ///
    /// - Parameter line: The line, with its end.
    func write(_ line: [UInt8]) {
        writing.async { [self] in
            guard !state.withLock({ $0.isClosed }) else { return }
            var rest = line[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Glibc.write(input, $0.baseAddress, $0.count) }
                // It is gone, or about to be: reading says so.
                guard count > 0 || errno == EINTR else { return }
                rest = rest.dropFirst(max(0, count))
            }
        }
    }

    /// Lets it see the end of its input.
    func closeInput() {
        writing.async { [self] in
            guard
                state.withLock({ state in
                    defer { state.isClosed = true }
                    return !state.isClosed
                })
            else { return }
            close(input)
        }
    }

    /// Ends it at once.
    func kill() {
        state.withLock { if $0.isRunning { _ = Glibc.kill(number, SIGKILL) } }
    }

    /// Hands out lines until there are no more.
    private func read(_ output: Int32, _ line: (([UInt8]) -> Bool)) {
        defer { close(output) }
        var splitter = LineSplitter(limit: Self.lineLimit)
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = buffer.withUnsafeMutableBytes { Glibc.read(output, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0, let lines = try? splitter.take(buffer[..<count]) else { return }
            for text in lines where !line(text) { return }
        }
    }

    /// Ends it, where it has not ended by itself, and says how it did.
    private func waitForEnd() -> String {
        closeInput()
        // It has nothing more to say; whoever closes its output without ending is ended.
        for _ in 0..<20 where !hasEnded() { usleep(10_000) }
        kill()
        var status: Int32 = 0
        while waitpid(number, &status, 0) < 0, errno == EINTR {}
        state.withLock { $0.isRunning = false }
        let signal = status & 0x7f
        return signal == 0 ? "it ended with the code \((status >> 8) & 0xff)" : "signal \(signal) ended it"
    }

    private func hasEnded() -> Bool {
        var information = siginfo_t()
        let found = waitid(P_PID, id_t(number), &information, WEXITED | WNOHANG | WNOWAIT)
        return found == 0 && information.si_signo == SIGCHLD
    }

    private static func pipe() throws(SystemFailure) -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else { throw SystemFailure("pipe", errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    private static func spawn(
        _ command: [String],
        input: Int32,
        output: Int32
    ) throws(SystemFailure) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        // What we ignore or wait for means something to it.
        for signal in [SIGPIPE, SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
        posix_spawnattr_setflags(&attributes, Int16(flags))
        let environment = ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
        let words = command.map { strdup($0) } + [nil]
        let variables = environment.map { strdup($0) } + [nil]
        defer { for text in words + variables { free(text) } }
        var number = pid_t()
        let code = posix_spawnp(&number, command.first ?? "", &actions, &attributes, words, variables)
        guard code == 0 else { throw SystemFailure("could not start \(command.first ?? "")", code) }
        return number
    }
}

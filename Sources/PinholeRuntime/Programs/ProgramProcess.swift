import CLinux
import Dispatch
import Foundation
import Glibc
import PinholeLock

/// A program that runs beside us, with lines on its standard input and output, and its standard error read.
///
/// It leads a process group of its own, so that Ctrl-C does not end it before the exchanges that wait for it, and what it
/// has started ends with it, but for what has left the group. `docs/DECISIONS.md` says why it is started here.
final class ProgramProcess: Sendable {
    /// What is told of it, on queues of its own.
    struct Listeners: Sendable {
        /// A line of its output.
        let line: @Sendable ([UInt8]) -> Void
        /// A line of its standard error.
        let complaint: @Sendable (String) -> Void
        /// It has ended, and how.
        let end: @Sendable (String) -> Void
    }

    private struct State {
        /// Nothing is sent to its number once it was waited for, since another may have it then.
        var isRunning = true
        var isInputClosed = false
        /// Bytes that it has not read.
        var waiting = 0
    }

    /// The reading ends of the pipes, until they are read to their end.
    private struct Pipes {
        let output: Int32
        let errors: Int32
        /// Something comes when the process has ended: what it started may keep the others open.
        let ended: Int32
    }

    private let number: pid_t
    private let input: Int32
    private let state = Lock(State())
    /// Writes, and waits for a program that does not read.
    private let writing = DispatchQueue(label: "pinhole.program.writing")
    private let done = DispatchSemaphore(value: 0)

    /// The longest answer.
    static let lineLimit = 32 << 20
    /// Bytes that a pipe may hold on this system.
    private static let pipeLimit = 1 << 20
    /// Bytes that may wait for a program that does not read; one question may be longer.
    private static let waitingLimit = 64 << 20

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - command: The program, looked for as a shell does, and its arguments.
    ///   - folder: Where it runs; where the proxy does where it is empty.
    ///   - listeners: Are told what it says, and its end once.
    /// - Throws: ``SystemFailure`` where it cannot be started.
    init(_ command: [String], in folder: String, _ listeners: Listeners) throws(SystemFailure) {
        signal(SIGPIPE, SIG_IGN)
        var made: [Int32] = []
        do throws(SystemFailure) {
            for _ in 0..<4 { made += try Self.pipe() }
            number = try Self.spawn(command, in: folder, [made[0], made[3], made[5]])
        } catch {
            for descriptor in made { close(descriptor) }
            throw error
        }
        for descriptor in [made[0], made[3], made[5]] { close(descriptor) }
        input = made[1]
        let pipes = Pipes(output: made[2], errors: made[4], ended: made[6])
        let ending = made[7]
        let number = number
        DispatchQueue(label: "pinhole.program.end").async {
            var information = siginfo_t()
            while waitid(P_PID, id_t(number), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
            close(ending)
        }
        DispatchQueue(label: "pinhole.program.reading").async { [self] in
            let fault = read(pipes, listeners)
            let end = waitForEnd(pipes)
            for descriptor in [pipes.output, pipes.errors, pipes.ended] { close(descriptor) }
            listeners.end(fault ?? end)
            done.signal()
        }
    }

    /// Sends a line.
    ///
    /// - Parameter line: The line, with its end.
    /// - Returns: Whether it is sent; not where it has not read what was sent before.
    func write(_ line: [UInt8]) -> Bool {
        let isTaken = state.withLock { state in
            guard state.waiting == 0 || state.waiting + line.count <= Self.waitingLimit else { return false }
            state.waiting += line.count
            return true
        }
        guard isTaken else { return false }
        writing.async { [self] in
            defer { state.withLock { $0.waiting -= line.count } }
            guard !state.withLock({ $0.isInputClosed }) else { return }
            var rest = line[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Glibc.write(input, $0.baseAddress, $0.count) }
                // It is gone, or about to be: reading says so.
                guard count > 0 || errno == EINTR else { return }
                rest = rest.dropFirst(max(0, count))
            }
        }
        return true
    }

    /// Lets it see the end of its input, which asks it to end.
    func closeInput() {
        writing.async { [self] in
            let isFirst = state.withLock { state in
                defer { state.isInputClosed = true }
                return !state.isInputClosed
            }
            if isFirst { close(input) }
        }
    }

    /// Ends it and what it has started, at once.
    func kill() {
        state.withLock { if $0.isRunning { _ = Glibc.kill(-number, SIGKILL) } }
    }

    /// Waits until it has ended and was told of, then ends it.
    func finish(by deadline: DispatchTime) {
        if done.wait(timeout: deadline) == .success { return }
        kill()
        _ = done.wait(timeout: .now() + .seconds(1))
    }

    // MARK: Reading

    /// Hands out lines until there are no more.
    ///
    /// - Returns: Why nothing more is read; `nil` where its output has ended.
    private func read(_ pipes: Pipes, _ listeners: Listeners) -> String? {
        var splitter = LineSplitter(limit: Self.lineLimit)
        var complaints = LogLines()
        defer { complaints.end().map(listeners.complaint) }
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        var hasErrors = true
        var hasEnded = false
        // More than a pipe holds comes from what it has started, and is nobody's answer.
        var rest = Self.pipeLimit / buffer.count
        while rest > 0 {
            var ends = [pollfd(fd: pipes.output, events: Int16(POLLIN), revents: 0)]
            // A descriptor below 0 is passed over.
            ends.append(pollfd(fd: hasErrors ? pipes.errors : -1, events: Int16(POLLIN), revents: 0))
            ends.append(pollfd(fd: hasEnded ? -1 : pipes.ended, events: Int16(POLLIN), revents: 0))
            let found = poll(&ends, nfds_t(ends.count), hasEnded ? 0 : -1)
            if found < 0, errno == EINTR { continue }
            // All was read that it wrote before its end.
            if found <= 0 { return nil }
            if ends[2].revents != 0 { hasEnded = true }
            if hasEnded { rest -= 1 }
            if ends[1].revents != 0 {
                let count = Self.read(pipes.errors, &buffer)
                if count == 0 { hasErrors = false }
                for text in complaints.take(buffer[..<count]) { listeners.complaint(text) }
            }
            guard ends[0].revents != 0 else { continue }
            let count = Self.read(pipes.output, &buffer)
            guard count > 0 else { return nil }
            do throws(LineSplitter.TooLong) {
                for text in try splitter.take(buffer[..<count]) { listeners.line(text) }
            } catch {
                kill()
                return "it wrote a line of more than \(Self.lineLimit >> 20) MiB"
            }
        }
        return nil
    }

    /// - Returns: How many bytes came; 0 at the end.
    private static func read(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Int {
        while true {
            let count = buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            return max(0, count)
        }
    }

    /// Ends it, where it has not ended by itself, and says how it did.
    private func waitForEnd(_ pipes: Pipes) -> String {
        closeInput()
        var end = [pollfd(fd: pipes.ended, events: Int16(POLLIN), revents: 0)]
        // It has nothing more to say; whoever closes its output without ending is ended.
        let hasEnded = poll(&end, 1, 200) > 0
        // Those that it has started, too.
        kill()
        var status: Int32 = 0
        state.withLock { state in
            while waitpid(number, &status, 0) < 0, errno == EINTR {}
            state.isRunning = false
        }
        guard hasEnded else { return "it closed its output without ending" }
        let signal = status & 0x7f
        return signal == 0 ? "it ended with the code \((status >> 8) & 0xff)" : "signal \(signal) ended it"
    }

    // MARK: Starting

    /// - Returns: The reading end and the writing end; other programs do not inherit them.
    private static func pipe() throws(SystemFailure) -> [Int32] {
        var ends: [Int32] = [-1, -1]
        guard pipe2(&ends, O_CLOEXEC) == 0 else { throw SystemFailure("pipe", errno) }
        return ends
    }

    private static func spawn(
        _ command: [String],
        in folder: String,
        _ descriptors: [Int32]
    ) throws(SystemFailure) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, descriptor) in descriptors.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
        }
        if !folder.isEmpty { posix_spawn_file_actions_addchdir_np(&actions, folder) }
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
        let name = command.first ?? ""
        let code = posix_spawnp(&number, name, &actions, &attributes, words, variables)
        guard code == 0 else { throw SystemFailure("could not start \(name)", code) }
        return number
    }
}

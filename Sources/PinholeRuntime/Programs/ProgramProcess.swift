import CLinux
import Dispatch
import Glibc
import PinholeLock

/// A running program with lines on its standard input and output.
///
/// Its standard error is read, too.
///
/// The program leads its own process group. So Ctrl-C does not end it before the exchanges that wait for it,
/// and its child processes end with it, unless they left the group. `docs/DECISIONS.md` says why the process
/// is started here.
final class ProgramProcess: Sendable {
    /// The receivers of a process's output, on separate queues.
    struct Listeners: Sendable {
        /// Receives a line of the output.
        let line: @Sendable ([UInt8]) -> Void
        /// Receives a line of the standard error.
        let complaint: @Sendable (String) -> Void
        /// Receives the reason of the end.
        let end: @Sendable (String) -> Void
    }

    private struct State {
        /// Whether the process may get signals.
        ///
        /// After `waitpid`, its number may belong to another process.
        var isRunning = true
        var isInputClosed = false
        /// The number of bytes that the process has not read yet.
        var waiting = 0
    }

    /// The reading ends of the pipes, which stay open until the end of the data.
    private struct Pipes {
        let output: Int32
        let errors: Int32
        /// Becomes readable when the process ends.
        ///
        /// Child processes may keep the other pipes open.
        let ended: Int32
    }

    private let number: pid_t
    private let input: Int32
    private let state = Lock(State())
    /// The queue for writing, which waits for a program that does not read.
    private let writing = DispatchQueue(label: "pinhole.program.writing")
    private let done = DispatchSemaphore(value: 0)

    /// The longest answer, in bytes.
    static let lineLimit = 32 << 20
    /// The largest capacity of a pipe on this system, in bytes.
    private static let pipeLimit = 1 << 20
    /// The number of bytes that may wait for a program that does not read.
    ///
    /// A single question may be longer.
    private static let waitingLimit = 64 << 20

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - command: The program, which is looked up as a shell does, and its arguments.
    ///   - folder: The working directory; empty for the proxy's.
    ///   - listeners: Receive the output, and once the end.
    /// - Throws: ``SystemFailure`` when the program cannot be started.
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
    /// - Returns: Whether the line will be sent; `false` if too many earlier bytes are still unread.
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
                // The process has ended or is about to; the reader reports that.
                guard count > 0 || errno == EINTR else { return }
                rest = rest.dropFirst(max(0, count))
            }
        }
        return true
    }

    /// Closes the program's input, which asks it to end.
    func closeInput() {
        writing.async { [self] in
            let isFirst = state.withLock { state in
                defer { state.isInputClosed = true }
                return !state.isInputClosed
            }
            if isFirst { close(input) }
        }
    }

    /// Kills the program and its child processes.
    func kill() {
        state.withLock { if $0.isRunning { _ = Glibc.kill(-number, SIGKILL) } }
    }

    /// Waits until the program has ended and its end was reported.
    ///
    /// After `deadline`, kills it.
    func finish(by deadline: DispatchTime) {
        if done.wait(timeout: deadline) == .success { return }
        kill()
        _ = done.wait(timeout: .now() + .seconds(1))
    }

    // MARK: Reading

    /// Reads lines and passes them on until there are no more.
    ///
    /// - Returns: The reason to stop; `nil` at the end of the output.
    private func read(_ pipes: Pipes, _ listeners: Listeners) -> String? {
        var splitter = LineSplitter(limit: Self.lineLimit)
        var complaints = LogLines()
        defer { complaints.end().map(listeners.complaint) }
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        var hasErrors = true
        var hasEnded = false
        // After the process has ended, anything beyond the capacity of a pipe comes from a child process and
        // is no answer.
        var rest = Self.pipeLimit / buffer.count
        while rest > 0 {
            var ends = [pollfd(fd: pipes.output, events: Int16(POLLIN), revents: 0)]
            // `poll` ignores a negative descriptor.
            ends.append(pollfd(fd: hasErrors ? pipes.errors : -1, events: Int16(POLLIN), revents: 0))
            ends.append(pollfd(fd: hasEnded ? -1 : pipes.ended, events: Int16(POLLIN), revents: 0))
            let found = poll(&ends, nfds_t(ends.count), hasEnded ? 0 : -1)
            if found < 0, errno == EINTR { continue }
            // Everything that the process wrote before its end has been read.
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

    /// - Returns: The number of bytes read; 0 at the end.
    private static func read(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Int {
        while true {
            let count = buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            return max(0, count)
        }
    }

    /// Ends the process if it has not ended by itself, and describes its end.
    private func waitForEnd(_ pipes: Pipes) -> String {
        closeInput()
        var end = [pollfd(fd: pipes.ended, events: Int16(POLLIN), revents: 0)]
        // The output has ended. A process that closes its output but keeps running is killed.
        let hasEnded = poll(&end, 1, 200) > 0
        // Child processes are killed, too.
        kill()
        var status: Int32 = 0
        state.withLock { state in
            while waitpid(number, &status, 0) < 0, errno == EINTR {}
            state.isRunning = false
        }
        guard hasEnded else { return "it closed its output without ending" }
        let signal = status & 0x7f
        return signal == 0 ? Self.reason(ofCode: (status >> 8) & 0xff) : "signal \(signal) ended it"
    }

    /// Returns the reason of an end with an exit code.
    static func reason(ofCode code: Int32) -> String { "it ended with the code \(code)" }

    // MARK: Starting

    /// - Returns: The reading end and the writing end; child processes do not inherit them.
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
        // Signals that this process ignores or waits for get their default action in the program.
        for signal in [SIGPIPE, SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
        posix_spawnattr_setflags(&attributes, Int16(flags))
        let words = command.map { strdup($0) } + [nil]
        defer { for text in words { free(text) } }
        var number = pid_t()
        let name = command.first ?? ""
        let code = posix_spawnp(&number, name, &actions, &attributes, words, environ)
        guard code == 0 else { throw SystemFailure("could not start \(name)", code) }
        return number
    }
}

import Glibc
import PinholeLock
import PinholeRuntime
import PinholeSession

/// The terminal of the process as a screen: keys come without Enter, and what was shown before returns at the end.
final class TerminalScreen: Sendable {
    private enum State {
        case away, lent, open, ended
    }

    private let state = Lock(State.away)
    private let reader = WorkQueue("pinhole.keys")

    /// The time after which an escape byte without more is the key Escape.
    private static let patience: Int32 = 50
    /// The time, in microseconds, between two looks whether another program still uses the terminal.
    private static let pause: UInt32 = 50_000

    /// Checks that the process has a terminal that can show a screen.
    ///
    /// - Parameters:
    ///   - purpose: The command, for the message.
    ///   - instead: A command for output that is no terminal.
    /// - Throws: ``CommandFailure`` that says what is missing.
    init(for purpose: String, instead: String) throws(CommandFailure) {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
            let missing = isatty(STDOUT_FILENO) == 1 ? "standard input" : "standard output"
            throw CommandFailure(
                "\(purpose) needs a terminal, and \(missing) is none",
                remedy: "run it in a terminal (ssh -t HOST …), or print a list: \(instead)"
            )
        }
        guard Terminal.hasEscapes(STDOUT_FILENO) else {
            let name = Plain.printable(getenv("TERM").map { String(cString: $0) } ?? "")
            throw CommandFailure(
                "\(purpose) needs a terminal with a cursor that moves, and TERM is “\(name)”",
                remedy: "set TERM to the terminal that you have (TERM=xterm), or print a list: \(instead)"
            )
        }
    }

    /// Whether the locale of the process says that the terminal shows UTF-8.
    static var isUTF8: Bool {
        let names: [String] = ["LC_ALL", "LC_CTYPE", "LANG"]
        let value = names.lazy.compactMap { name in getenv(name).map { String(cString: $0) } }
            .first { !$0.isEmpty }
        let name = (value ?? "").lowercased()
        return name.hasSuffix("utf-8") || name.hasSuffix("utf8")
    }

    /// The columns and rows of the terminal.
    static var size: (width: Int, height: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return (80, 24)
        }
        // A size beyond every real one would make a screen of gigabytes.
        return (min(1000, Int(size.ws_col)), min(500, Int(size.ws_row)))
    }

    /// Opens the screen, also after another program has used the terminal; after ``end()``, does nothing.
    func open() {
        state.withLock { state in
            guard state != .ended, state != .lent else { return }
            if state == .away { TerminalRescue.arm() }
            state = .open
            var settings = TerminalRescue.settings
            cfmakeraw(&settings)
            tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
            // Inside of the lock: after the bytes that close the screen, these would open it again.
            write(ScreenPainter.opening)
        }
    }

    /// Restores the terminal for good.
    ///
    /// A signal that the process goes on (SIGCONT) may be handled after that, and must not open the screen again.
    func end() { close(as: .ended) }

    private func close(as next: State) {
        state.withLock { state in
            guard state == .open else { return }
            state = next
            TerminalRescue.restore()
            TerminalRescue.disarm()
        }
    }

    /// Restores the terminal and stops the process, as ^Z does in other programs; returns when it goes on.
    func suspend() {
        close(as: .away)
        // A signal of the thread stops it here; one of the process could let it open the screen before. The threads
        // that tasks run on block the signal.
        var stop = sigset_t()
        var before = sigset_t()
        sigemptyset(&stop)
        sigaddset(&stop, SIGTSTP)
        pthread_sigmask(SIG_UNBLOCK, &stop, &before)
        raise(SIGTSTP)
        pthread_sigmask(SIG_SETMASK, &before, nil)
        open()
    }

    /// Whether another program uses the terminal.
    var isLent: Bool { state.withLock { $0 == .lent } }

    /// Restores the terminal for another program, and opens the screen again when the work returns.
    func lend<Value: Sendable, Failure: Error>(
        _ work: @Sendable () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        close(as: .lent)
        defer {
            state.withLock { if $0 == .lent { $0 = .away } }
            open()
        }
        return try await work()
    }

    func write(_ bytes: [UInt8]) { FileDescriptorOutput.write(bytes, to: STDOUT_FILENO) }

    /// Reads keys on a thread of its own, until the terminal is closed.
    ///
    /// - Parameters:
    ///   - take: Takes the keys that came together.
    ///   - end: Called when no more keys can come.
    func readKeys(_ take: @escaping @Sendable ([Key]) -> Void, end: @escaping @Sendable () -> Void) {
        reader.perform {
            var decoder = KeyDecoder()
            var buffer = [UInt8](repeating: 0, count: 4096)
            while true {
                var wanted = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
                let ready = poll(&wanted, 1, decoder.isWaiting ? Self.patience : -1)
                // The keys are those of the program that uses the terminal.
                if self.isLent {
                    usleep(Self.pause)
                    continue
                }
                if ready == 0 {
                    take(decoder.flush())
                    continue
                }
                let count = ready < 0 ? -1 : read(STDIN_FILENO, &buffer, buffer.count)
                if count < 0, errno == EINTR || errno == EAGAIN { continue }
                guard count > 0 else { return end() }
                take(decoder.take(buffer[..<count]))
            }
        }
    }
}

/// Restores the terminal also if the program crashes, from a signal handler.
private enum TerminalRescue {
    private static let crashes = [SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE]

    /// The settings of the terminal as the program found them.
    static let settings = {
        var settings = termios()
        tcgetattr(STDIN_FILENO, &settings)
        return settings
    }()

    static func arm() {
        // A handler must not be the first who reads the settings.
        _ = settings
        for crash in crashes {
            signal(crash) { number in
                TerminalRescue.restore()
                // The default action then ends the process, and leaves a core where one is wanted.
                signal(number, SIG_DFL)
                raise(number)
            }
        }
    }

    static func disarm() { for crash in crashes { signal(crash, SIG_DFL) } }

    /// Restores the terminal by functions that a signal handler may call (POSIX.1-2017 §2.4.3).
    static func restore() {
        _ = Glibc.write(
            STDOUT_FILENO,
            ScreenPainter.closing.utf8Start,
            ScreenPainter.closing.utf8CodeUnitCount
        )
        var settings = settings
        tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }
}

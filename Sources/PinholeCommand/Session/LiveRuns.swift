import Glibc
import PinholeConsole
import PinholeCrypto
import PinholeLock
import PinholeModel
import PinholeRuntime

/// Programs of `pinhole run` that have joined a running proxy, each by a listener of its own.
///
/// The listener is what tells their traffic from that of others: a connection names it, whatever process made it. It asks
/// for no login, since many programs cannot be given one; it is on loopback, as the proxy of `pinhole run` alone is.
final class LiveRuns: Sendable {
    private struct Run {
        let process: pid_t
        let address: SocketAddress
    }

    private struct State {
        var runs: [Int64: Run] = [:]
        var last: Int64 = 0
    }

    /// How long connections that a program left may take to end.
    private static let patience = Duration.seconds(1)
    private static let interval = Duration.milliseconds(20)

    private let proxy: ProxySession
    private let points: [String]
    private let state = Lock(State())

    /// Creates them.
    ///
    /// - Parameters:
    ///   - proxy: The proxy.
    ///   - points: Where it listens for others.
    init(_ proxy: ProxySession, points: [String]) {
        self.proxy = proxy
        self.points = points
    }

    /// Listens for a program.
    ///
    /// - Parameter process: The process that runs it.
    /// - Returns: Where, or why not.
    func begin(_ process: Int64) async -> Result<RunPlace, Problem> {
        await forgetEnded()
        guard let process = pid_t(exactly: process) else {
            return .failure(Problem(422, "no such process", "process: expected the number of a process"))
        }
        do throws(CommandFailure) {
            let address = try await proxy.openPrivateListener()
            let id = state.withLock { state in
                state.last += 1
                state.runs[state.last] = Run(process: process, address: address)
                return state.last
            }
            return .success(
                RunPlace(
                    id: id,
                    address: address.description,
                    proxy: points,
                    certificate: proxy.minter.authority.root.pem
                )
            )
        } catch {
            return .failure(Problem(500, "the program cannot join", error.message, remedy: error.remedy))
        }
    }

    /// Listens for it no more.
    ///
    /// - Parameter id: The number of the run.
    /// - Returns: What its program did; `nil` if there is no such run.
    func end(_ id: Int64) async -> RunOutcome? {
        guard let run = state.withLock({ $0.runs.removeValue(forKey: id) }) else { return nil }
        let listener = run.address.description
        let deadline = ContinuousClock.now + Self.patience
        while proxy.sink.privateTallies.isOpen(listener), ContinuousClock.now < deadline {
            try? await Task.sleep(for: Self.interval)
        }
        proxy.closePrivateListener(run.address)
        return proxy.sink.privateTallies.end(listener)
    }

    /// A process that was killed did not end its run.
    private func forgetEnded() async {
        let ended = state.withLock { state in
            state.runs.filter { kill($0.value.process, 0) != 0 && errno == ESRCH }.map(\.key)
        }
        for id in ended { _ = await end(id) }
    }
}

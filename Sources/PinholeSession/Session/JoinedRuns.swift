import Glibc
import PinholeCrypto
import PinholeLock
import PinholeRuntime
import PinholeStore

/// Programs of `pinhole run` that have joined a running proxy, each by a listener of its own.
///
/// The listener tells the traffic of a program from other traffic, even if a child process made the connection. The
/// listener asks for no login, since many programs cannot be given one, so it is on loopback only.
final class JoinedRuns: Sendable {
    private struct Run {
        let process: pid_t
        let address: SocketAddress
    }

    private struct State {
        var runs: [Int64: Run] = [:]
        var last: Int64 = 0
    }

    /// The most runs at one time: each has a listener.
    private static let most = 64
    /// The time that the last connections of a program may take to end.
    private static let patience = Duration.seconds(1)
    /// The time after which connections without a request are judged: the proxy has seen the last request by then.
    private static let grace = Duration.milliseconds(200)
    private static let interval = Duration.milliseconds(20)

    private let proxy: ProxySession
    private let points: [String]
    private let state = Lock(State())

    /// Creates an empty set of runs.
    ///
    /// - Parameters:
    ///   - proxy: The proxy.
    ///   - points: The addresses at which the proxy listens for other clients.
    init(_ proxy: ProxySession, points: [String]) {
        self.proxy = proxy
        self.points = points
    }

    /// Opens a listener for a program.
    ///
    /// - Parameters:
    ///   - process: The process that runs it.
    ///   - isContainer: Whether the program runs in a container.
    /// - Returns: The address of the listener.
    /// - Throws: ``Problem`` if there can be no listener.
    func begin(_ process: Int64, isContainer: Bool) async throws(Problem) -> RunPlace {
        await forgetEnded()
        guard let process = pid_t(exactly: process) else {
            throw Problem(422, "no such process", "process: expected the number of a process")
        }
        let address: SocketAddress
        do throws(CommandFailure) {
            address = try await proxy.openPrivateListener()
        } catch {
            throw Problem(500, "the program cannot join", error.message, remedy: error.remedy)
        }
        if isContainer { proxy.sink.sightings?.expectContainer(at: address.description) }
        let id = state.withLock { state -> Int64? in
            guard state.runs.count < Self.most else { return nil }
            state.last += 1
            state.runs[state.last] = Run(process: process, address: address)
            return state.last
        }
        guard let id else {
            proxy.server.closePrivateListener(address)
            throw Problem(
                503,
                "too many programs",
                "\(Self.most) programs have joined this proxy already, and more cannot",
                remedy: "end one of them, or start a proxy of its own with --capture"
            )
        }
        return RunPlace(
            id: id,
            address: address.description,
            proxy: points,
            certificate: proxy.minter.authority.root.pem
        )
    }

    /// Closes the listener of a run.
    ///
    /// - Parameter id: The number of the run.
    /// - Returns: The connections that its program made; `nil` if there is no such run.
    func end(_ id: Int64) async -> RunOutcome? {
        guard let run = state.withLock({ $0.runs.removeValue(forKey: id) }) else { return nil }
        let listener = run.address.description
        let start = ContinuousClock.now
        while proxy.sink.isOpen(listener), ContinuousClock.now < start + Self.patience {
            try? await Task.sleep(for: Self.interval)
            // The program has ended, so no later request of it can prove a connection to be spare.
            if ContinuousClock.now >= start + Self.grace { proxy.sink.settle(of: listener) }
        }
        proxy.server.closePrivateListener(run.address)
        proxy.sink.sightings?.forget(listener)
        // The user lists the capture next.
        await proxy.sink.written()
        guard let outcome = proxy.sink.endTally(of: listener) else { return nil }
        guard let standstill = proxy.sink.standstill else { return outcome }
        return RunOutcome(connections: outcome.connections, lines: outcome.lines + [standstill.description])
    }

    /// Ends the runs of processes that were killed and could not end their runs themselves.
    private func forgetEnded() async {
        let ended = state.withLock { state in
            state.runs.filter { kill($0.value.process, 0) != 0 && errno == ESRCH }.map(\.key)
        }
        for id in ended { _ = await end(id) }
    }
}

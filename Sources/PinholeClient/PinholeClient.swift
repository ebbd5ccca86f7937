import PinholeCrypto
import PinholeModel
import PinholeRuntime
import Synchronization

/// The companion client: an HTTP client of our own that decides whether to trust, and answers challenges
/// as URLSession does.
///
/// The client corresponds to a `URLSession`: its fetches share settings, a delegate, credentials and TLS sessions.
package final class PinholeClient: Sendable {
    private let settings: ClientSettings
    private let delegate: ClientDelegate
    private let shared: ClientShared
    private let loop: EventLoop
    private let count = Atomic<Int>(0)

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - settings: Its settings.
    ///   - delegate: Answers challenges.
    ///   - sessions: TLS sessions, which several clients may share.
    /// - Throws: ``ClientFailure`` when the system refuses a descriptor or a TLS context.
    package init(
        _ settings: ClientSettings,
        delegate: ClientDelegate = ClientDelegate(),
        sessions: SessionCache = SessionCache()
    ) throws(ClientFailure) {
        self.settings = settings
        self.delegate = delegate
        let clock = LoopClock()
        do {
            loop = try EventLoop(number: 0, clock: clock)
            // Every chain is judged outside of OpenSSL's verification, which needs no anchors then.
            let context = try TLSContext(
                connectingVersions: settings.versions,
                trust: TrustAnchors(system: false, additional: []),
                strength: settings.strength,
                requestsTimestamps: true
            )
            shared = ClientShared(
                clock: clock,
                context: context,
                resolver: Resolver(
                    overrides: settings.overrides,
                    lifetime: settings.limits.resolutionLifetime,
                    clock: clock
                ),
                credentials: CredentialStorage(),
                sessions: sessions,
                fingerprint: settings.policyFingerprint ?? DigestAuthentication.randomNonce()
            )
        } catch {
            throw ClientFailure(
                .cannotConnectToHost,
                check: "client",
                "the client could not be made: \(error)"
            )
        }
        loop.start()
    }

    deinit {
        loop.post { $0.stop() }
    }

    /// Fetches a URL.
    ///
    /// Cancelling the task ends the fetch with -999.
    ///
    /// - Returns: The response or the failure, and the story of the fetch.
    package func fetch(_ request: ClientRequest) async -> FetchOutcome {
        let number = count.add(1, ordering: .relaxed).newValue
        let loop = loop
        return await withTaskCancellationHandler {
            await run(request, number, on: loop)
        } onCancel: {
            loop.post { OpenFetches.of($0).cancel(number, on: $0) }
        }
    }

    /// Opens a connection that might be needed, as browsers do, and closes it without a request.
    ///
    /// - Parameter url: The server.
    /// - Returns: The failure; `nil` if a connection was made.
    package func preconnect(to url: ClientURL) async -> ClientFailure? {
        let number = count.add(1, ordering: .relaxed).newValue
        return await preconnect(to: url, number, on: loop)
    }

    private func preconnect(
        to url: ClientURL,
        _ number: Int,
        on loop: isolated EventLoop
    ) async -> ClientFailure? {
        let task = FetchTask(ClientRequest(url), settings: settings, shared: shared, delegate: delegate)
        let room = OpenFetches.of(loop)
        room.enter(task, number, on: loop)
        defer { room.leave(number) }
        return await task.preconnect(on: loop)
    }

    /// Fetches with GET.
    package func fetch(_ url: ClientURL) async -> FetchOutcome { await fetch(ClientRequest(url)) }

    /// Judges the servers of an earlier fetch, as another client with the same ``ClientSettings/habits`` would.
    ///
    /// This client accepted every server in the earlier fetch. The other client does the same until it refuses one, so
    /// no connection is needed.
    ///
    /// - Parameters:
    ///   - earlier: The outcome of the earlier fetch, a GET by this client.
    ///   - settings: The settings of the other client.
    ///   - delegate: The delegate of the other client.
    /// - Returns: The outcome for the other client; `nil` if only a fetch of its own shows that.
    package func judgeServers(
        of earlier: FetchOutcome,
        as settings: ClientSettings,
        delegate: ClientDelegate
    ) async -> FetchOutcome? {
        await judgeServers(of: earlier, as: settings, delegate: delegate, on: loop)
    }

    private func judgeServers(
        of earlier: FetchOutcome,
        as settings: ClientSettings,
        delegate: ClientDelegate,
        on loop: isolated EventLoop
    ) async -> FetchOutcome? {
        let request = ClientRequest(earlier.story.url)
        let task = FetchTask(request, settings: settings, shared: shared, delegate: delegate)
        return await task.judgeServers(of: earlier, on: loop)
    }

    private func run(
        _ request: ClientRequest,
        _ number: Int,
        on loop: isolated EventLoop
    ) async -> FetchOutcome {
        let task = FetchTask(request, settings: settings, shared: shared, delegate: delegate)
        let room = OpenFetches.of(loop)
        room.enter(task, number, on: loop)
        defer { room.leave(number) }
        return await task.run(on: loop)
    }
}

/// The fetches in progress, on the client's loop; fetches are cancelled from other threads.
private final class OpenFetches: LoopOwner {
    private var tasks: [Int: FetchTask] = [:]
    private var cancelledEarly: Set<Int> = []

    /// Finds the room of a client's loop, or opens it for the first fetch or cancellation.
    static func of(_ loop: isolated EventLoop) -> OpenFetches {
        if let room = loop.owner as? OpenFetches { return room }
        let room = OpenFetches()
        loop.owner = room
        return room
    }

    func enter(_ task: FetchTask, _ number: Int, on loop: isolated EventLoop) {
        tasks[number] = task
        if cancelledEarly.remove(number) != nil { task.cancel(on: loop) }
    }

    func leave(_ number: Int) {
        tasks[number] = nil
        cancelledEarly.remove(number)
    }

    func cancel(_ number: Int, on loop: isolated EventLoop) {
        guard let task = tasks[number] else {
            cancelledEarly.insert(number)
            return
        }
        task.cancel(on: loop)
    }
}

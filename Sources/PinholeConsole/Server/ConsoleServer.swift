import PinholeModel
package import PinholeRuntime
import PinholeStore
import PinholeWire
import Synchronization

/// The console: the control API and the page, on loopback.
package final class ConsoleServer: Sendable {
    /// Where it listens.
    package let address: SocketAddress
    /// What whoever asks has to know.
    package let token: AccessToken
    private let loop: EventLoop
    private let count: ConnectionCount
    private let isStopped = Atomic<Bool>(false)

    private init(address: SocketAddress, token: AccessToken, loop: EventLoop, count: ConnectionCount) {
        self.address = address
        self.token = token
        self.loop = loop
        self.count = count
    }

    deinit { stop() }

    /// Starts a console.
    ///
    /// - Parameters:
    ///   - subject: What it shows.
    ///   - address: Where it listens; port 0 lets the kernel choose.
    ///   - token: What whoever asks has to know.
    ///   - limits: What a client may cost.
    /// - Returns: The console; it answers already.
    /// - Throws: ``ConsoleFailure`` when the capture or the address cannot be used.
    package static func start(
        _ subject: ConsoleSubject,
        on address: SocketAddress,
        token: AccessToken,
        limits: ConsoleLimits = ConsoleLimits()
    ) async throws(ConsoleFailure) -> ConsoleServer {
        // 0.0.0.0 counts as loopback where one connects to it; who listens there listens everywhere.
        guard address.address.isLoopback, !address.address.unmapped.isUnspecified else {
            throw .notLoopback(address)
        }
        let api: ConsoleAPI
        do throws(CaptureFailure) {
            api = try ConsoleAPI(subject, limits: limits)
        } catch {
            throw .capture(error)
        }
        let loop: EventLoop
        do throws(SystemFailure) {
            loop = try EventLoop(number: 0)
        } catch {
            throw .address(address, error.description)
        }
        let count = ConnectionCount()
        loop.start()
        do throws(SystemFailure) {
            let bound = try await open(api, token, count, on: address, loop).get()
            return ConsoleServer(address: bound, token: token, loop: loop, count: count)
        } catch {
            loop.post { $0.stop() }
            throw .address(address, error.description)
        }
    }

    private static func open(
        _ api: ConsoleAPI,
        _ token: AccessToken,
        _ count: ConnectionCount,
        on address: SocketAddress,
        _ loop: EventLoop
    ) async -> Result<SocketAddress, SystemFailure> {
        await withCheckedContinuation { continuation in
            loop.post { [limits = api.limits, clock = api.clock] isolated in
                let hub = ConnectionHub<ConsoleConnection>(count: count, limit: limits.connections) {
                    number,
                    bound in
                    ConsoleConnection(
                        responder: ConsoleService(gate: ConsoleGate(token: token, address: bound), api: api),
                        limits: limits,
                        now: clock.now(),
                        post: { letter in Self.post(letter, to: number, on: loop) }
                    )
                }
                isolated.tenant = hub
                continuation.resume(
                    returning: Result { () throws(SystemFailure) in
                        try hub.listen(on: address, isExclusive: true, on: isolated)
                    }
                )
            }
        }
    }

    private static func post(_ letter: ConsoleLetter, to number: Int, on loop: EventLoop) {
        loop.post { loop in
            let now = loop.now
            (loop.tenant as? ConnectionHub<ConsoleConnection>)?.change(number, on: loop) { connection in
                connection.deliver(letter, at: now)
            }
        }
    }

    /// Ends every connection and stops listening.
    package func stop() {
        guard !isStopped.exchange(true, ordering: .relaxed) else { return }
        loop.post { loop in
            (loop.tenant as? ConnectionHub<ConsoleConnection>)?.stop(on: loop)
            loop.tenant = nil
            loop.stop()
        }
    }

    /// The page, with the token.
    package var url: String { "http://\(address)/?token=\(token.text)" }

    /// The number of open connections.
    package var connectionCount: Int { count.open.load(ordering: .relaxed) }
}

/// Answers requests that may be answered: the API below `/api`, the documentation below `/docs`, the files of the page
/// elsewhere.
struct ConsoleService: ConsoleResponder {
    let gate: ConsoleGate
    let api: ConsoleAPI

    func refusal(of head: RequestHead) -> ConsoleAnswer? { gate.refusal(of: head) }

    func reception(of head: RequestHead) throws(CaptureFailure) -> ImportFile? { try api.reception(of: head) }

    func answer(_ request: ConsoleRequest, _ reply: @escaping @Sendable (ConsoleAnswer) -> Void) {
        switch request.path.first {
        case "api": api.answer(request, reply)
        case "docs":
            // Reading a file must not hold up the other connections of the loop.
            Task { reply(ConsoleManual(folder: api.subject.manual).answer(request)) }
        default: reply(ConsoleAssets.answer(request))
        }
    }
}

import PinholeModel
package import PinholeRuntime
import PinholeStore
import PinholeWire
import Synchronization

/// The console: the control API and the page, on loopback.
package final class ConsoleServer: Sendable {
    /// The address on which the console listens.
    package let address: SocketAddress
    /// The token that a client must send with each request.
    package let token: AccessToken
    private let loop: EventLoop
    private let count: ConnectionCount
    private let api: ConsoleAPI
    private let isStopped = Atomic<Bool>(false)

    private init(
        address: SocketAddress,
        token: AccessToken,
        loop: EventLoop,
        count: ConnectionCount,
        api: ConsoleAPI
    ) {
        self.address = address
        self.token = token
        self.loop = loop
        self.count = count
        self.api = api
    }

    deinit { stop() }

    /// Starts a console.
    ///
    /// - Parameters:
    ///   - subject: The capture and the proxy that the console shows.
    ///   - address: The address to listen on; port 0 lets the kernel choose a port.
    ///   - token: The token that a client must send.
    ///   - limits: The bounds on what a client may use.
    /// - Returns: The console, which accepts connections already.
    /// - Throws: ``ConsoleFailure`` if the capture or the address cannot be used.
    package static func start(
        _ subject: ConsoleSubject,
        on address: SocketAddress,
        token: AccessToken,
        limits: ConsoleLimits = ConsoleLimits()
    ) async throws(ConsoleFailure) -> ConsoleServer {
        // A client that connects to 0.0.0.0 reaches loopback, but a listener on 0.0.0.0 is reachable from everywhere.
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
            return ConsoleServer(address: bound, token: token, loop: loop, count: count, api: api)
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

    /// Closes every connection and stops listening.
    package func stop() {
        guard !isStopped.exchange(true, ordering: .relaxed) else { return }
        api.recordings.removeAll()
        loop.post { loop in
            (loop.tenant as? ConnectionHub<ConsoleConnection>)?.stop(on: loop)
            loop.tenant = nil
            loop.stop()
        }
    }

    /// The URL of the page, with the token in its query.
    package var url: String { "http://\(address)/?token=\(token.text)" }

    /// The number of open connections.
    package var connectionCount: Int { count.open.load(ordering: .relaxed) }
}

/// Answers accepted requests: the API below `/api`, the documentation below `/docs`, `/metrics`, and the page's files
/// elsewhere.
struct ConsoleService: ConsoleResponder {
    let gate: ConsoleGate
    let api: ConsoleAPI

    func refusal(of head: RequestHead) -> ConsoleAnswer? { gate.refusal(of: head) }

    func reception(of head: RequestHead) throws(CaptureFailure) -> ImportFile? { try api.reception(of: head) }

    func answer(_ request: ConsoleRequest, _ reply: @escaping @Sendable (ConsoleAnswer) -> Void) {
        switch request.path.first {
        case "api": api.answer(request, reply)
        case "metrics": reply(metrics(request))
        case "docs":
            // Reading a file must not hold up the other connections of the loop.
            Task { reply(ConsoleManual(folder: api.subject.manual).answer(request)) }
        default: reply(ConsoleAssets.answer(request))
        }
    }

    /// Answers Prometheus.
    private func metrics(_ request: ConsoleRequest) -> ConsoleAnswer {
        guard request.isHead || request.head.method == "GET" else {
            return Problem.notAllowed(request, ["GET", "HEAD"]).answer
        }
        guard let text = api.subject.metrics?() else {
            return .text(
                "This console shows a finished capture, and only a proxy counts its traffic.",
                status: 404
            )
        }
        return ConsoleAnswer(
            200,
            fields: [("Content-Type", "text/plain; version=0.0.4; charset=utf-8")],
            body: .bytes(Array(text.utf8))
        )
    }
}

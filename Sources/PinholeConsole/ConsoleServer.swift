package import PinholeRuntime
import PinholeSession
import PinholeStore
import PinholeWire

/// The console: the control API and the page, on loopback.
package final class ConsoleServer: Sendable {
    /// The token that a client must send with each request.
    package let token: AccessToken
    private let listener: ConsoleListener
    private let api: ConsoleAPI

    private init(token: AccessToken, listener: ConsoleListener, api: ConsoleAPI) {
        self.token = token
        self.listener = listener
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
        guard address.isReachableHereOnly else { throw .notLoopback(address) }
        let api: ConsoleAPI
        do throws(CaptureFailure) {
            api = try ConsoleAPI(subject, limits: limits)
        } catch {
            throw .capture(error)
        }
        let listener = try await ConsoleListener.start(on: address, limits: limits) { bound in
            ConsoleService(gate: ConsoleGate(token: token, address: bound), api: api)
        }
        return ConsoleServer(token: token, listener: listener, api: api)
    }

    /// Closes every connection and stops listening.
    package func stop() {
        guard listener.stop() else { return }
        api.recordings.removeAll()
    }

    /// The address on which the console listens.
    package var address: SocketAddress { listener.address }

    /// The URL of the page, with the token in its query.
    package var url: String { "http://\(address)/?token=\(token.text)" }
}

/// Answers accepted requests: the API below `/api`, the documentation below `/docs`, `/metrics`, and the page's files
/// elsewhere.
struct ConsoleService: ConsoleResponder {
    let gate: ConsoleGate
    let api: ConsoleAPI

    func admission(of head: RequestHead) -> ConsoleAdmission { gate.admission(of: head) }

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
        guard let text = api.subject.control?.metrics else {
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

import PinholeModel
import PinholeRuntime
import PinholeTrust
import PinholeWire

extension FetchTask {
    /// Makes a connection on which requests for `url` can be sent.
    func connect(
        to url: ClientURL,
        on loop: isolated EventLoop
    ) async throws(ClientFailure) -> ServerConnection {
        try checkCleartext(url)
        guard let proxy = settings.proxy else {
            let connection = try await dial(url, over: url.authority, on: loop)
            if url.scheme == .https { try await secure(connection, on: loop) }
            return connection
        }
        guard url.scheme == .https else { return try await reach(proxy, for: url, on: loop) }
        let connection = try await tunnel(to: url, through: proxy, on: loop)
        try await secure(connection, on: loop)
        return connection
    }

    /// Checks that the policy permits plain http for the host, if the URL asks for that.
    func checkCleartext(_ url: ClientURL) throws(ClientFailure) {
        guard url.scheme == .http,
            let refusal = settings.cleartextPolicy?.refusalOfCleartext(to: url.authority.host)
        else { return }
        throw ClientFailure(
            .appTransportSecurityRequiresSecureConnection,
            check: "cleartext",
            "\(refusal); ask over https, or permit it for this host"
        )
    }

    /// Connects to a proxy, in TLS if its settings ask for that.
    private func reach(
        _ proxy: ClientSettings.Proxy,
        for url: ClientURL,
        on loop: isolated EventLoop
    ) async throws(ClientFailure) -> ServerConnection {
        let connection = try await dial(url, over: proxy.authority, on: loop)
        if let anchors = proxy.anchors {
            try await secure(connection, with: proxy, trusting: anchors, on: loop)
        }
        return connection
    }

    private func dial(
        _ url: ClientURL,
        over authority: Authority,
        on loop: isolated EventLoop
    ) async throws(ClientFailure) -> ServerConnection {
        let addresses = await resolve(authority, on: loop)
        let connector = ClientConnector()
        self.connector = connector
        defer { self.connector = nil }
        guard !isCancelled,
            let end = await connector.connect(to: authority, addresses, limits: settings.limits, on: loop)
        else { throw ClientFailure(.cancelled, check: "task", "the task was cancelled") }
        switch end {
        case .failed(let failure, let report):
            // A name without an address was not dialed; the failure says so.
            if !report.dials.isEmpty {
                let isProxy = authority != url.authority
                tell(.notConnected(authority, isProxy: isProxy, attempts: report.dials))
            }
            throw ClientFailure(failure)
        case .connected(let descriptor, let address, let report):
            do throws(SystemFailure) {
                let line = try FetchSocket(taking: descriptor, clock: shared.clock, on: loop)
                let connection = ServerConnection(url, line: line, settings: settings)
                if authority == url.authority, settings.proxy == nil { connection.address = address.address }
                self.connection = connection
                tell(
                    .connected(
                        address: address.description,
                        isProxy: authority != url.authority,
                        attempts: report.dials
                    )
                )
                // The fetch was cancelled before there was a line to cancel.
                if isCancelled { line.cancel(on: loop) }
                return connection
            } catch {
                throw ClientFailure(.cannotConnectToHost, check: "connection", error.description)
            }
        }
    }

    func resolve(_ authority: Authority, on loop: isolated EventLoop) async -> Resolver.Answer {
        let began = shared.clock.now()
        let resolver = shared.resolver
        let answer = await withCheckedContinuation { continuation in
            resolver.resolve(authority) { continuation.resume(returning: $0) }
        }
        if authority.host.name != nil, case .success = answer {
            tell(.resolved(authority, took: shared.clock.now() - began))
        }
        return answer
    }

    /// The bytes that are read of the body with which a proxy refuses a tunnel.
    private static let proxyAnswer = 64 << 10

    /// Asks the proxy for a tunnel (RFC 9110 §9.3.6), as often as its authentication makes it worth while.
    private func tunnel(
        to url: ClientURL,
        through proxy: ClientSettings.Proxy,
        on loop: isolated EventLoop
    ) async throws(ClientFailure) -> ServerConnection {
        while true {
            if connection?.isIdle != true { await leave(on: loop) }
            let connection: ServerConnection
            if let kept = self.connection {
                connection = kept
            } else {
                connection = try await reach(proxy, for: url, on: loop)
            }
            let message = try await ask(for: url.authority, over: connection, on: loop)
            let head = message.head
            tell(.tunnel(url.authority, status: head.status, reason: head.reason))
            if (200...299).contains(head.status) {
                try take(proxyAuthenticator.note(head, body: [], isProxy: true), isProxy: true)
                keepLogin(of: proxyAuthenticator)
                connection.becomeTunnel()
                return connection
            }
            guard head.status == 407 else { throw Self.refused(message, url.authority) }
            let isWorthWhile = try await answer(
                head,
                of: proxy.authority,
                proxyType: .https,
                &proxyAuthenticator,
                on: loop
            )
            guard isWorthWhile else { throw Self.refused(message, url.authority) }
        }
    }

    private func ask(
        for authority: Authority,
        over connection: ServerConnection,
        on loop: isolated EventLoop
    ) async throws(ClientFailure) -> ServerConnection.Message {
        let covered = DigestAuthentication.Request(method: "CONNECT", target: authority.description)
        var bytes = try FetchRequestWriter.connect(
            to: authority,
            proxyAuthorization: proxyAuthenticator.authorization(for: covered)
        )
        try await connection.transmit(&bytes, on: loop)
        return try await connection.readResponse(to: "CONNECT", bound: .beginning(Self.proxyAnswer), on: loop)
    }

    private static func refused(_ message: ServerConnection.Message, _ authority: Authority) -> ClientFailure
    {
        var what =
            "the proxy refused the tunnel to \(authority): \(message.head.status) \(message.head.reason)"
        if let reason = PlainReason.text(message.head.fields, message.body) { what += " (\(reason))" }
        return ClientFailure(
            .httpsProxyConnectionFailure,
            check: message.head.status == 407 ? "proxy authentication" : "proxy",
            message.head.status == 407 ? "\(what); give its name and password with the proxy's URL" : what
        )
    }
}

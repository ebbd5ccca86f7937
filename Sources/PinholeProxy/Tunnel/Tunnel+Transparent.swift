import PinholeModel
import PinholeWire

/// A listener to which the system redirects connections: clients believe that they speak with their server.
///
/// The address of the server is known at once. It is dialed at once, as after CONNECT, since the server may speak
/// first. The client gives the name of the server later, in its ClientHello or in Host.
extension Tunnel {
    /// The destination of the client's connection before it was redirected, or the server of a forwarded port; `nil`
    /// otherwise.
    var destination: Authority? {
        guard case .from(let destination) = arrival else { return nil }
        return destination
    }

    /// Begins a connection that the firewall has redirected to a transparent listener, or that came to a forwarded
    /// port.
    mutating func redirected() {
        guard phase == .awaitingRequest, let destination else { return }
        // Clients that do not know of a proxy have no credentials for it, so only their address counts.
        guard policy.access.admits(clientAddress) else {
            flow.treatment = .local
            flow.authority = destination.description
            commands.append(.driver(.resetClient))
            return abort(
                Outcome(
                    .refused,
                    fault: .client,
                    detail: "The address \(clientAddress) is not in proxy.clients."
                )
            )
        }
        connect(destination)
    }

    /// Uses the name that the client asks for instead of the address of its connection.
    mutating func take(name: Host) {
        guard let destination, name.name != nil else { return }
        let named = Authority(host: name, port: destination.port)
        authority = named
        flow.authority = named.description
        // A decision by a rule for the address is kept.
        guard policy.interception.passthrough.deciding(destination) == nil else { return }
        let decision = policy.interception.decide(named)
        flow.treatment = decision.treatment
        flow.reason = decision.reason
    }

    // MARK: No arrival

    /// Refuses a request on a connection that was not redirected, or that should not have been redirected.
    mutating func refuseDirect(_ head: RequestHead) {
        let page = directPage
        flow.treatment = .local
        if let authority = head.authority(for: .http) { flow.authority = authority.description }
        flow.outcome = Outcome(.refused, fault: .client, detail: page.detail)
        commands.append(.record(flow))
        commands.append(.answer(page.answer(accept: head.fields.first("accept"))))
        close()
    }

    /// Ends a connection to the listener itself, or one of the proxy's own, in which no page can be shown.
    mutating func endDirect() {
        flow.treatment = .local
        commands.append(.driver(.resetClient))
        abort(Outcome(.refused, fault: .client, detail: directPage.detail))
    }

    private var directPage: ErrorPage {
        guard case .own(let authority) = arrival else { return .notRedirected(to: flow.listener) }
        return .ownConnection(to: authority)
    }
}

extension ErrorPage {
    /// The page for a connection that was made to a transparent listener itself.
    static func notRedirected(to listener: String) -> ErrorPage {
        ErrorPage(
            status: 421,
            title: "This listener is no proxy",
            detail:
                "It takes connections that the system redirects, and this one was made to \(listener) itself.",
            remedy:
                "Connect to the server, and let a rule of nft or iptables redirect that; or use another listener."
        )
    }

    /// The page for a connection of the proxy to a server that was redirected back to the proxy.
    static func ownConnection(to authority: Authority) -> ErrorPage {
        ErrorPage(
            status: 508,
            title: "The firewall leads Pinhole back to itself",
            detail: "Pinhole's own connection to \(authority) was redirected to it again.",
            remedy:
                "Except Pinhole's connections in the rule: by its user (meta skuid) or by a mark (upstream.mark)."
        )
    }
}

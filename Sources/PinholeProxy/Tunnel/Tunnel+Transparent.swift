import PinholeModel
import PinholeWire

/// A listener that the system leads connections to: clients believe that they speak with their server.
///
/// The address is known at once, and dialed as after CONNECT, since the server may be the one who speaks first.
/// Whose name it has, the client says later: in its ClientHello, or in Host.
extension Tunnel {
    /// Where the client's connection was going, before the system led it here, or goes from a forwarded port.
    var destination: Authority? {
        guard case .from(let destination) = arrival else { return nil }
        return destination
    }

    /// The connection came to a transparent listener by a rule of the firewall, or to a forwarded port.
    mutating func redirected(at now: Timestamp, into commands: inout [TunnelCommand]) {
        guard phase == .awaitingRequest, let destination else { return }
        // Clients that know of no proxy know no credentials for one: their address alone counts.
        guard policy.access.admits(clientAddress) else {
            flow.treatment = .local
            flow.authority = destination.description
            commands.append(.resetClient)
            return abort(
                Outcome(
                    .refused,
                    fault: .client,
                    detail: "The address \(clientAddress) is not in proxy.clients."
                ),
                at: now,
                into: &commands
            )
        }
        connect(destination, at: now, into: &commands)
    }

    /// Takes the name that the client asks for; what its connection says is an address.
    mutating func take(name: Host) {
        guard let destination, name.name != nil else { return }
        let named = Authority(host: name, port: destination.port)
        authority = named
        flow.authority = named.description
        // A rule that names the address stands.
        guard policy.interception.passthrough.deciding(destination) == nil else { return }
        let decision = policy.interception.decide(named)
        flow.treatment = decision.treatment
        flow.reason = decision.reason
    }

    /// Notes whom a request for plain HTTP names; the connection stays what it is.
    mutating func note(named authority: Authority, into commands: inout [TunnelCommand]) {
        guard destination != nil, mode.forwarded == nil, flow.treatment == .plain, flow.exchanges == 0
        else { return }
        flow.authority = authority.description
        commands.append(.record(flow))
    }

    /// Where a request goes that came by a redirected connection: there, whatever server it names.
    mutating func redirectedTarget(_ head: RequestHead) -> String? {
        guard destination != nil, case .absolute(_, _, let path) = head.target else { return nil }
        return path
    }

    // MARK: No server

    /// Waits for what the client speaks, since the address does not answer: that tells whether it can be told.
    mutating func awaitUnserved(at now: Timestamp, into commands: inout [TunnelCommand]) {
        isUnserved = true
        phase = .peeking
        commands.append(.peek)
        // Who waits for the server to speak first is not to wait for long.
        commands.append(.arm(.idle, policy.limits.headTimeout))
        if closedHalves.contains(.client) { endUnserved(at: now, into: &commands) }
    }

    /// Ends the connection as its server would have: by a reset.
    mutating func endUnserved(at now: Timestamp, into commands: inout [TunnelCommand]) {
        commands.append(.resetClient)
        abort(
            flow.outcome ?? Outcome(.dialFailed, fault: .server, detail: "the server cannot be reached"),
            at: now,
            into: &commands
        )
    }

    // MARK: No arrival

    /// Refuses a request by a connection that was not redirected, or should not have been.
    mutating func refuseDirect(
        _ head: RequestHead,
        at now: Timestamp,
        into commands: inout [TunnelCommand]
    ) {
        let page = directPage
        flow.treatment = .local
        if let authority = head.authority(for: .http) { flow.authority = authority.description }
        flow.outcome = Outcome(.refused, fault: .client, detail: page.detail)
        commands.append(.record(flow))
        commands.append(.answer(page.answer(accept: head.fields.first("accept")), closing: true))
        close(at: now, into: &commands)
    }

    /// Ends a connection, to the listener itself or of the proxy's own, that no page can be shown in.
    mutating func endDirect(at now: Timestamp, into commands: inout [TunnelCommand]) {
        flow.treatment = .local
        commands.append(.resetClient)
        abort(Outcome(.refused, fault: .client, detail: directPage.detail), at: now, into: &commands)
    }

    private var directPage: ErrorPage {
        guard case .own(let authority) = arrival else { return .notRedirected(to: flow.listener) }
        return .ownConnection(to: authority)
    }
}

extension ErrorPage {
    /// A connection came to a transparent listener, and was not led there.
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

    /// A connection of the proxy to a server was led back to it.
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

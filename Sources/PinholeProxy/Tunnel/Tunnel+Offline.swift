import PinholeCrypto
import PinholeModel
import PinholeWire

/// Tunnels of an offline proxy, which never asks a server.
///
/// The leaf names the host that the client asked for. There is no server whose faults the leaf could show or hide: no
/// byte leaves this machine.
extension Tunnel {
    /// Opens a tunnel without dialing.
    mutating func openOffline(
        _ decision: InterceptionRules.Decision,
        _ authority: Authority,
        at now: Timestamp,
        into commands: inout [TunnelCommand]
    ) {
        flow.nextHop = nil
        guard decision.treatment == .intercepted else {
            flow.treatment = .local
            let page = ErrorPage.offline(authority, decision.reason)
            flow.outcome = Outcome(.refused, fault: .client, detail: page.detail)
            guard destination == nil else { return abortOffline(at: now, into: &commands) }
            if flow.isSOCKS { return refuseSOCKS(.notAllowed, at: now, into: &commands) }
            commands.append(.record(flow))
            commands.append(.answer(page.answer(accept: nil)))
            return close(at: now, into: &commands)
        }
        flow.treatment = .intercepted
        flow.reason = "\(decision.reason); offline: no server is asked"
        phase = .dialing(.connect)
        commands.append(.record(flow))
        commands.append(.driver(.arm(.idle, policy.limits.idleTimeout)))
        // A CONNECT of HTTP/1 must first be read completely; in other protocols, nothing of it follows.
        if flow.isSOCKS || isInStream || destination != nil { acceptOffline(at: now, into: &commands) }
    }

    /// Accepts the CONNECT, whatever server it names.
    mutating func acceptOffline(at now: Timestamp, into commands: inout [TunnelCommand]) {
        phase = .peeking
        acceptTunnel(into: &commands)
        commands.append(.peek)
        if closedHalves.contains(.client) { relayOpaque(at: now, into: &commands) }
    }

    /// Requests a leaf for the host that the client asked for.
    mutating func mintOffline(_ host: Host, into commands: inout [TunnelCommand]) {
        phase = .minting
        commands.append(.driver(.mint(LeafRequest(names: [host]))))
    }

    /// Resets a redirected connection, in which no page can be shown.
    private mutating func abortOffline(at now: Timestamp, into commands: inout [TunnelCommand]) {
        commands.append(.driver(.resetClient))
        abort(
            flow.outcome ?? Outcome(.refused, fault: .client, detail: "offline: no server is asked"),
            at: now,
            into: &commands
        )
    }

    /// Ends a tunnel whose bytes could only be relayed.
    mutating func refuseRelay(at now: Timestamp, into commands: inout [TunnelCommand]) {
        let reason =
            flow.treatment == .passedThrough
            ? flow.reason ?? "passed through" : "what the client speaks is neither TLS nor HTTP"
        abort(
            Outcome(
                .refused,
                fault: .client,
                detail: "offline: \(reason), and no server is asked"
            ),
            at: now,
            into: &commands
        )
    }
}

extension ErrorPage {
    /// Creates the page that says that no server is asked.
    ///
    /// - Parameters:
    ///   - authority: The server that the client wanted.
    ///   - reason: More about the reason; empty if no rule has answered a request.
    /// - Returns: The page.
    static func offline(_ authority: Authority, _ reason: String = "") -> ErrorPage {
        ErrorPage(
            status: 502,
            title: "Pinhole is offline",
            detail: "\(authority) is not asked, since no server is"
                + (reason.isEmpty ? ", and no rule answers this request." : ": \(reason)."),
            remedy: "Add a rule that answers, or start without --offline (upstream.offline in config.json)."
        )
    }
}

import PinholeCrypto
import PinholeModel
import PinholeWire

/// Tunnels of an offline proxy, which never asks a server.
///
/// The leaf names the host that the client asked for. There is no server whose faults the leaf could show or hide: no
/// byte leaves this machine.
extension Tunnel {
    /// Opens a tunnel without dialing.
    mutating func openOffline(_ decision: InterceptionRules.Decision, _ authority: Authority) {
        flow.nextHop = nil
        guard decision.treatment == .intercepted else {
            flow.treatment = .local
            let page = ErrorPage.offline(authority, decision.reason)
            flow.outcome = Outcome(.refused, fault: .client, detail: page.detail)
            guard destination == nil else { return abortOffline() }
            if flow.isSOCKS { return refuseSOCKS(.notAllowed) }
            commands.append(.record(flow))
            commands.append(.answer(page.answer(accept: nil)))
            return close()
        }
        flow.treatment = .intercepted
        flow.reason = "\(decision.reason); offline: no server is asked"
        phase = .dialing(.connect)
        commands.append(.record(flow))
        commands.append(.driver(.arm(.idle, policy.limits.idleTimeout)))
        // A CONNECT of HTTP/1 must first be read completely; in other protocols, nothing of it follows.
        if flow.isSOCKS || isInStream || destination != nil { acceptOffline() }
    }

    /// Accepts the CONNECT, whatever server it names.
    mutating func acceptOffline() {
        phase = .peeking
        acceptTunnel()
        commands.append(.peek)
        if closedHalves.contains(.client) { relayOpaque() }
    }

    /// Requests a leaf for the host that the client asked for.
    mutating func mintOffline(_ host: Host) {
        phase = .minting
        commands.append(.driver(.mint(LeafRequest(names: [host]))))
    }

    /// Resets a redirected connection, in which no page can be shown.
    private mutating func abortOffline() {
        commands.append(.driver(.resetClient))
        abort(flow.outcome ?? Outcome(.refused, fault: .client, detail: "offline: no server is asked"))
    }

    /// Ends a tunnel whose bytes could only be relayed.
    mutating func refuseRelay() {
        let reason =
            flow.treatment == .passedThrough
            ? flow.reason ?? "passed through" : "what the client speaks is neither TLS nor HTTP"
        abort(
            Outcome(
                .refused,
                fault: .client,
                detail: "offline: \(reason), and no server is asked"
            )
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
            title: "Pinhole is offline",
            detail: "\(authority) is not asked, since no server is"
                + (reason.isEmpty ? ", and no rule answers this request." : ": \(reason)."),
            remedy: "Add a rule that answers, or start without --offline (upstream.offline in config.json)."
        )
    }
}

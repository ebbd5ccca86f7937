import PinholeCrypto
import PinholeModel
import PinholeWire

/// Tunnels that no server is at the end of, since none is ever asked.
///
/// The leaf names whom the client asked for, and there is nobody whose faults it could show or hide: no byte
/// leaves this machine.
extension Tunnel {
    /// Opens a tunnel without having dialed.
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
            commands.append(.answer(page.answer(accept: nil), closing: true))
            return close(at: now, into: &commands)
        }
        flow.treatment = .intercepted
        flow.reason = "\(decision.reason); offline: no server is asked"
        phase = .dialing(.connect)
        commands.append(.record(flow))
        commands.append(.arm(.idle, policy.limits.idleTimeout))
        // A CONNECT of HTTP/1 has to be read to its end first; elsewhere nothing of it follows.
        if flow.isSOCKS || isInStream || destination != nil { acceptOffline(at: now, into: &commands) }
    }

    /// The CONNECT is answered, whoever it is for.
    mutating func acceptOffline(at now: Timestamp, into commands: inout [TunnelCommand]) {
        phase = .peeking
        acceptTunnel(into: &commands)
        commands.append(.peek)
        if closedHalves.contains(.client) { relayOpaque(at: now, into: &commands) }
    }

    /// Has a leaf made for whom the client asked for.
    mutating func mintOffline(_ host: Host, into commands: inout [TunnelCommand]) {
        phase = .minting
        commands.append(.mint(LeafRequest(names: [host])))
    }

    /// Resets a redirected connection; nobody would read a page.
    private mutating func abortOffline(at now: Timestamp, into commands: inout [TunnelCommand]) {
        commands.append(.resetClient)
        abort(
            flow.outcome ?? Outcome(.refused, fault: .client, detail: "offline: no server is asked"),
            at: now,
            into: &commands
        )
    }

    /// Ends what could only be relayed.
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
    /// No server is asked, and no rule has answered.
    ///
    /// - Parameters:
    ///   - authority: Whom the client wanted.
    ///   - reason: What else there is to say; empty for nothing.
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

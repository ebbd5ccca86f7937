import PinholeModel
import PinholeWire

/// The SOCKS negotiation with the client, up to the request, which opens a tunnel as CONNECT does.
extension Tunnel {
    mutating func negotiate(_ version: SOCKSVersion) {
        guard isGreeted else { return }
        clientSentData = true
        phase = .negotiating
        flow.listenerKind = version == .socks5 ? .socks5 : .socks4
        guard policy.access.admits(clientAddress) else {
            flow.treatment = .local
            flow.outcome = Outcome(
                .refused,
                fault: .client,
                detail: "The address \(clientAddress) is not in proxy.clients."
            )
            return refuseSOCKS(.notAllowed)
        }
    }

    mutating func received(_ event: SOCKSAcceptor.Event) {
        guard phase == .negotiating else { return }
        switch event {
        case .credentials(let user, let password): authenticate(Login(user: user, password: password))
        case .request(let authority): connect(authority)
        }
    }

    /// Ends a failed negotiation; the client has already got its answer.
    mutating func negotiationFailed(_ failure: SOCKSFailure) {
        guard phase == .negotiating else { return }
        flow.treatment = .local
        flow.outcome = Outcome(.refused, fault: .client, detail: "SOCKS: \(failure.detail)")
        commands.append(.record(flow))
        close()
    }

    mutating func negotiationTimedOut() {
        let time = policy.limits.headTimeout.secondsText
        abort(Outcome(.timedOut, fault: .client, detail: "no complete request of SOCKS came within \(time)"))
    }

    /// Tells the client why no tunnel is opened; the outcome is already in the flow.
    mutating func refuseSOCKS(_ reply: SOCKSReply) {
        commands.append(.record(flow))
        commands.append(.answerSOCKS(.reply(reply)))
        close()
    }

    /// Serves the proxy's own page inside a tunnel, because a browser that speaks SOCKS asks for it like this.
    mutating func serveOwnPage(_ authority: Authority) {
        flow.treatment = .local
        guard authority.port != Scheme.https.defaultPort else {
            flow.outcome = Outcome(
                .refused,
                fault: .client,
                detail:
                    "\(policy.ownHost) answers to plain http only, so that it can be read before the CA is trusted."
            )
            return refuseSOCKS(.connectionRefused)
        }
        flow.reason = "Pinhole's own page"
        phase = .open
        commands.append(.record(flow))
        commands.append(.acceptConnect)
        commands.append(.driver(.arm(.head, policy.limits.headTimeout)))
        commands.append(.awaitRequest)
    }
}

extension FlowRecord {
    /// Whether the client speaks SOCKS to the proxy.
    var isSOCKS: Bool { listenerKind == .socks5 || listenerKind == .socks4 }
}

extension DialFailure {
    /// The reply to a client of SOCKS.
    var reply: SOCKSReply {
        switch kind {
        case .unresolvable: .hostUnreachable
        case .refused: .connectionRefused
        case .unreachable: .hostUnreachable
        case .timedOut: .expired
        case .loop, .hopLoop: .notAllowed
        case .hopUnreachable, .hopRefused, .hopAuthentication: .generalFailure
        }
    }
}

import PinholeModel
import PinholeWire

/// Who may use the proxy, by address and by login.
extension Tunnel {
    /// Judges the client by its first request, which waits where its login has to be verified.
    mutating func authenticate(
        _ head: RequestHead,
        at now: Timestamp,
        into commands: inout [TunnelCommand]
    ) {
        let authorization = head.fields.first("proxy-authorization")
        switch policy.access.verdict(on: clientAddress, authorization: authorization) {
        case .admitted: admitted(head, at: now, into: &commands)
        case .refused(let refusal): refuse(refusal, head, at: now, into: &commands)
        case .unverified(let check):
            phase = .authenticating
            unverified = head
            commands.append(.arm(.idle, policy.limits.idleTimeout))
            commands.append(.authenticate(check))
        }
    }

    /// Judges the login of a client of SOCKS.
    mutating func authenticate(
        _ login: Login,
        at now: Timestamp,
        into commands: inout [TunnelCommand]
    ) {
        switch policy.access.verdict(on: login, of: clientAddress) {
        case .admitted: authenticated(.right, at: now, into: &commands)
        case .refused: authenticated(.wrong, at: now, into: &commands)
        case .unverified(let check): commands.append(.authenticate(check))
        }
    }

    mutating func authenticated(
        _ verdict: LoginVerdict,
        at now: Timestamp,
        into commands: inout [TunnelCommand]
    ) {
        if phase == .negotiating { return answer(verdict, at: now, into: &commands) }
        guard phase == .authenticating, let head = unverified.take() else { return }
        phase = .awaitingRequest
        switch verdict {
        case .busy: refuse(.busy, head, at: now, into: &commands)
        case .right: admitted(head, at: now, into: &commands)
        case .wrong: refuse(.credentials, head, at: now, into: &commands)
        }
    }

    /// Tells a client of SOCKS what became of its login.
    private mutating func answer(
        _ verdict: LoginVerdict,
        at now: Timestamp,
        into commands: inout [TunnelCommand]
    ) {
        commands.append(.answerSOCKS(.credentials(areRight: verdict == .right)))
        guard verdict != .right else { return }
        flow.treatment = .local
        flow.outcome = Outcome(
            .refused,
            fault: .client,
            detail: verdict == .busy
                ? "So many logins wait to be verified that this one is not."
                : "The user name and the password that came by SOCKS5 do not fit."
        )
        commands.append(.record(flow))
        close(at: now, into: &commands)
    }

    private mutating func refuse(
        _ refusal: AccessRules.Refusal,
        _ head: RequestHead,
        at now: Timestamp,
        into commands: inout [TunnelCommand]
    ) {
        let answer = refusal.answer(to: clientAddress, accept: head.fields.first("accept"))
        refuse(answer, head, at: now, into: &commands)
    }
}

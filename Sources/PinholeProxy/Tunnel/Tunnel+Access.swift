import PinholeModel
import PinholeWire

/// Decides whether a client may use the proxy, by its address and its login.
extension Tunnel {
    /// Judges the client by its first request, which waits if its login has to be verified.
    mutating func authenticate(_ head: RequestHead) {
        let authorization = head.fields.first("proxy-authorization")
        switch policy.access.verdict(on: clientAddress, authorization: authorization) {
        case .admitted(let user): admitted(head, as: user)
        case .refused(let refusal): refuse(refusal, head)
        case .unverified(let check):
            phase = .authenticating
            unverified = Unverified(user: check.login.name, head: head)
            commands.append(.driver(.arm(.idle, policy.limits.idleTimeout)))
            commands.append(.driver(.authenticate(.opening, check)))
        }
    }

    /// Judges the login of a client of SOCKS.
    mutating func authenticate(_ login: Login) {
        switch policy.access.verdict(on: login, of: clientAddress) {
        case .admitted(let user):
            flow.proxyUser = user
            answer(.right)
        case .refused: answer(.wrong)
        case .unverified(let check):
            unverified = Unverified(user: check.login.name, head: nil)
            commands.append(.driver(.authenticate(.opening, check)))
        }
    }

    mutating func authenticated(_ verdict: LoginVerdict) {
        guard let login = unverified.take() else { return }
        if phase == .negotiating {
            if verdict == .right { flow.proxyUser = login.user }
            return answer(verdict)
        }
        guard phase == .authenticating, let head = login.head else { return }
        phase = .awaitingRequest
        switch verdict {
        case .busy: refuse(.busy, head)
        case .right: admitted(head, as: login.user)
        case .wrong: refuse(.credentials, head)
        }
    }

    /// Takes the first request of a client that may use the proxy, and records its user.
    private mutating func admitted(_ head: RequestHead, as user: String?) {
        flow.proxyUser = user
        admitted(head)
    }

    /// Tells a client of SOCKS the result of checking its login.
    private mutating func answer(_ verdict: LoginVerdict) {
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
        close()
    }

    private mutating func refuse(_ refusal: AccessRules.Refusal, _ head: RequestHead) {
        let answer = refusal.answer(to: clientAddress, accept: head.fields.first("accept"))
        refuse(answer, head)
    }
}

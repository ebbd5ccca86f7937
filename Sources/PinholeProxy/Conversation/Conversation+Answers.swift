import PinholeHTTP2
import PinholeModel
import PinholeRules
import PinholeWire

/// The answers that the proxy itself gives.
extension Conversation {
    /// Returns the answer to a request that no server is asked about; `nil` for any other request.
    mutating func localAnswer(to head: RequestHead) -> Answer? {
        if flow.treatment == .local { return policy.onboarding.answer(to: head, at: flow.listener) }
        if authority == nil, let answer = proxyAnswer(to: head) { return answer }
        let page: ErrorPage
        if policy.pseudonym.isNamed(in: head.fields) {
            page = .circle(head.authority(for: scheme))
        } else {
            guard head.method == "CONNECT", head.protocolName == nil else { return nil }
            page = mode.isProxy ? .connectInside : .connectToServer
        }
        return page.answer(accept: head.fields.first("accept"))
    }

    /// Answers an exchange with a page about its server.
    mutating func answer(_ page: ErrorPage, _ lane: Lane) {
        guard let open = exchanges[lane] else { return }
        let page = page.led(by: open.machine.ruling?.plan.leader)
        let accept = open.machine.request.fields.first("accept")
        answer(page.answer(accept: accept), lane)
    }

    /// Answers an exchange instead of its server.
    mutating func answer(_ answer: Answer, _ lane: Lane) {
        guard let open = exchanges[lane] else { return }
        if !clientIsMultiplexed, isDraining { commands.append(.closeAfter(lane)) }
        commands.append(.answer(lane, answer))
        if !open.machine.requestIsComplete { commands.append(.discardRequest(lane, isStopped: false)) }
        guard answer.content != nil else { return end(lane, .answeredByProxy(answer.reason)) }
        if !clientIsMultiplexed {
            releaseSpareLinks()
            commands.append(.driver(.arm(.idle, policy.limits.idleTimeout)))
        }
        open.machine.beginAnswer(answer.reason)
    }

    /// Aborts an answer whose content no longer exists.
    mutating func answerFailed(_ lane: Lane) {
        guard let reason = exchanges[lane]?.machine.answering else { return }
        let detail = "\(reason), but its content changed while it was sent"
        guard clientIsMultiplexed else {
            commands.append(.driver(.resetClient))
            return abort(Outcome(.aborted, detail: detail), nil)
        }
        commands.append(.reset(lane, .client, .internalError))
        end(lane, .failed(detail))
    }

    /// Answers an exchange whose request was sent to a proxy that wants credentials for it.
    mutating func hopWantsCredentials(_ lane: Lane) {
        guard let open = exchanges[lane],
            let hop = policy.nextHops.hop(for: open.machine.target.authority, isPlain: true)
        else { return }
        if let id = open.link { close(id) }
        open.link = nil
        if !clientIsMultiplexed { commands.append(.closeAfter(lane)) }
        let page = ErrorPage.unreachable(.hopWantsCredentials(hop, for: open.machine.target.authority))
        answer(page, lane)
    }

    func noAnswer(_ target: DialTarget, _ reason: String) -> ErrorPage {
        let authority = target.authority
        let hop = target.isForwarded ? policy.nextHops.hop(for: authority, isPlain: true) : nil
        return ErrorPage.noUsableAnswer(of: authority, through: hop, reason)
    }
}

import PinholeHTTP2
import PinholeModel
import PinholeWire

/// The ends of a connection, of its exchanges and of its relays.
extension Conversation {
    /// Closes the connection after everything that waits for the client was sent.
    mutating func close() {
        guard !isClosing else { return }
        isClosing = true
        for id in links.keys { release(id) }
        commands.append(.driver(.arm(.idle, Tunnel.linger)))
        commands.append(.driver(.closeClient))
    }

    /// Ends every exchange and closes all connections at once.
    mutating func abort(_ outcome: Outcome, _ fault: Side?) {
        endAll(fault.map { .aborted(by: $0, outcome.detail) } ?? .failed(outcome.detail))
        finish(outcome)
        commands.append(.driver(.abort))
    }

    /// Ends an exchange at the user's request; other exchanges on its connections continue.
    mutating func endedByUser(_ lane: Lane?) {
        guard clientIsMultiplexed else { return endedByUser() }
        guard let lane else {
            endAll(.abortedByUser)
            finish(Outcome(.aborted, detail: ExchangeOutcome.userDetail))
            return commands.append(.driver(.abort))
        }
        guard exchanges[lane] != nil else { return }
        commands.append(.cancel(lane))
        end(lane, .abortedByUser)
    }

    /// Ends the exchange of a client of HTTP/1 at the user's request, and its connection.
    ///
    /// HTTP/1 can abort an exchange only by the end of the connection, which is a reset here. After a proper close, a
    /// response that ends with its connection would look complete, and a server that waits would not notice.
    private mutating func endedByUser() {
        commands.append(.driver(.resetClient))
        for id in links.keys { commands.append(.driver(.resetLink(id))) }
        let kind: Outcome.Kind = exchanges.isEmpty ? .aborted : .completed
        endAll(.abortedByUser)
        finish(Outcome(kind, detail: ExchangeOutcome.userDetail))
        commands.append(.driver(.abort))
    }

    private mutating func endAll(_ outcome: ExchangeOutcome) {
        for lane in exchanges.keys { commands.append(.endExchange(lane, outcome)) }
        exchanges = [:]
        waiting = []
        dropTunnels()
        for id in links.keys { close(id) }
    }

    mutating func clientClosed(_ kind: CloseKind, sentData: Bool) {
        if isClosing, !clientIsMultiplexed {
            finish(Outcome(.completed, detail: "done"))
            return commands.append(.driver(.abort))
        }
        if let lane = exchanges.firstKey(where: { $0.isRelayed }) { return relayClosed(lane, .client, kind) }
        dropTunnels(isOrderly: kind.isOrderly)
        flow.noteClientEnd(kind, handshakeEnded: handshakeEnded, sentData: sentData, at: now)
        if let lane = exchanges.keys.first, !clientIsMultiplexed, kind.isOrderly,
            exchanges[lane]?.machine.isAnsweredAfterClose == true
        {
            return commands.append(.closeAfter(lane))
        }
        guard exchanges.isEmpty else {
            return abort(
                Outcome(.aborted, fault: .client, detail: "the client went away: \(kind.words)"),
                .client
            )
        }
        flow.noteSilentRejection(
            kind,
            handshakeEnded: handshakeEnded,
            sentData: sentData,
            mirrored: mirrored,
            at: now
        )
        if !clientIsMultiplexed { rest() }
        endAll(.completed)
        commands.append(.driver(.closeClient))
        let detail = sentData || authority != nil ? "the client closed the connection" : flow.silence
        finish(Outcome(.completed, detail: detail))
    }

    mutating func clientFailed(_ detail: String) {
        flow.outcome = Outcome(.refused, fault: .client, detail: detail)
        endAll(.aborted(by: .client, detail))
        close()
    }

    /// Handles a violation of HTTP/1 by the client.
    mutating func requestFailed(_ failure: HTTP1Failure) {
        guard !isClosing else { return }
        let outcome = Outcome(.refused, fault: .client, detail: failure.detail)
        let page = ErrorPage.refused(failure).answer(accept: nil)
        guard let (lane, open) = exchanges.first else {
            flow.outcome = outcome
            commands.append(.refuse(page))
            return close()
        }
        guard !open.machine.responseHasBegun else { return abort(outcome, .client) }
        flow.outcome = outcome
        commands.append(.closeAfter(lane))
        answer(page, lane)
    }

    /// Ends the connection of a client of HTTP/1 that did not send a complete request head in time.
    private mutating func requestTimedOut() {
        let page = ErrorPage.requestTooSlow(policy.limits)
        flow.outcome = Outcome(.timedOut, fault: .client, detail: page.detail)
        commands.append(.refuse(page.answer(accept: nil)))
        close()
    }

    mutating func expired(_ deadline: Deadline) {
        if isClosing {
            finish(Outcome(.completed, detail: "done"))
            return commands.append(.driver(.abort))
        }
        switch deadline {
        case .head: if exchanges.isEmpty { requestTimedOut() }
        case .rest: rest()
        case .handshake where isClientHeld: releaseClient()
        case .idle, .handshake: grewIdle()
        }
    }

    private mutating func grewIdle() {
        if let lane = exchanges.firstKey(where: { $0.isLingering }) {
            // The server still waits for the rest of the request of a slow client, so the proxy waits, too.
            exchanges[lane]?.isLingering = false
            return commands.append(.driver(.arm(.idle, policy.limits.idleTimeout)))
        }
        // Tunnels have their own deadlines.
        guard tunnels.isEmpty else { return commands.append(.driver(.arm(.idle, policy.limits.idleTimeout))) }
        let detail = displacement?.detail ?? "nothing moved for too long"
        guard clientIsMultiplexed else { return grewIdle(detail) }
        isDraining = true
        commands.append(.announceEnd)
        flow.outcome = Outcome(exchanges.isEmpty ? .completed : .timedOut, detail: detail)
        for lane in exchanges.keys {
            guard let open = exchanges[lane] else { continue }
            if open.machine.responseHasBegun {
                commands.append(.reset(lane, .client, .cancel))
                end(lane, .failed(detail))
            } else {
                answer(pageForIdle, lane)
            }
        }
        close()
    }

    /// Ends the connection of a client of HTTP/1 on which no byte has moved for the idle time.
    private mutating func grewIdle(_ detail: String) {
        guard let (lane, open) = exchanges.first else {
            return abort(Outcome(.completed, detail: detail), nil)
        }
        if open.machine.responseIsComplete {
            // The client has its answer, and need not send the rest of its request (RFC 9112 §9.5).
            endAll(.completed)
            flow.outcome = Outcome(.completed, detail: detail)
            return close()
        }
        guard !open.machine.responseHasBegun else {
            let outcome = Outcome(.timedOut, detail: detail)
            return breakOff(lane, .cancel, .failed(detail), ending: outcome)
        }
        commands.append(.closeAfter(lane))
        answer(pageForIdle, lane)
    }

    /// The page for a request whose server has not answered when the connection ends.
    private var pageForIdle: ErrorPage {
        displacement == nil ? .noAnswerInTime(policy.limits) : .displaced(status: 503)
    }

    mutating func drain(_ outcome: Outcome) {
        guard !isDraining else { return }
        isDraining = true
        guard clientIsMultiplexed else { return drainHTTP1(outcome) }
        commands.append(.announceEnd)
        endWaiting()
        guard isQuiet, !isClosing else { return }
        flow.outcome = outcome
        close()
    }

    /// Ends exchanges that wait for a delay, or for a decision that may take a long time.
    ///
    /// The client has received nothing of their responses, so it may send the requests to another server.
    private mutating func endWaiting() {
        for lane in exchanges.keys where exchanges[lane]?.machine.isWaiting == true {
            commands.append(.reset(lane, .client, .refusedStream))
            end(lane, .failed("the proxy was stopped"))
        }
    }

    private mutating func drainHTTP1(_ outcome: Outcome) {
        guard let lane = exchanges.keys.first, !isClosing else {
            flow.outcome = flow.outcome ?? outcome
            return close()
        }
        if exchanges[lane]?.machine.isWaiting == true { return abort(outcome, nil) }
        commands.append(.closeAfter(lane))
    }

    // MARK: Switched protocols

    /// Handles the end of one half of a relay; the other half may continue.
    mutating func relayClosed(_ lane: Lane, _ side: Side, _ kind: CloseKind) {
        let outcome = Outcome(.completed, detail: "the \(side.rawValue) closed the connection")
        switch kind {
        case .orderly, .truncated:
            guard !closedHalves.contains(side.opposite) else { return endRelay(lane, outcome) }
            closedHalves.append(side)
            commands.append(.closeHalf(lane, toward: side.opposite))
        case .cancelled: endRelay(lane, outcome)
        case .reset(let reason):
            // A browser resets the WebSockets of a page that its user leaves, so this is no failure.
            let outcome = Outcome(
                side == .client ? .completed : .aborted,
                fault: side == .client ? nil : side,
                detail: "the \(side.rawValue) broke the connection: \(reason)"
            )
            guard flow.inbound?.stream != nil, let link = exchanges[lane]?.link else {
                return endRelay(lane, outcome)
            }
            // RFC 9113 §8.5: a tunnel in a stream passes a reset on as a reset.
            commands.append(side == .server ? .driver(.resetClient) : .driver(.resetLink(link)))
            abort(outcome, outcome.fault)
        case .alert(let alert):
            let detail = "the \(side.rawValue) ended with the alert \(alert)"
            endRelay(lane, Outcome(.aborted, fault: side, detail: detail))
        }
    }

    private mutating func endRelay(_ lane: Lane, _ outcome: Outcome) {
        flow.outcome = outcome
        isDraining = true
        end(lane, .completed)
    }
}

import PinholeHTTP2
import PinholeModel
import PinholeWire

/// The ends.
extension Multiplexer {
    /// Lets the client have what waits for it, then closes.
    mutating func close(at now: Timestamp, into commands: inout [MultiplexCommand]) {
        guard !isClosing else { return }
        isClosing = true
        for id in links.keys.sorted() { close(id, into: &commands) }
        commands.append(.arm(Tunnel.linger))
        commands.append(.closeClient)
    }

    /// Ends every exchange and drops everything.
    mutating func abort(
        _ outcome: Outcome,
        _ fault: Side?,
        at now: Timestamp,
        into commands: inout [MultiplexCommand]
    ) {
        endAll(fault.map { .aborted(by: $0, outcome.detail) } ?? .failed(outcome.detail), into: &commands)
        finish(outcome, at: now, into: &commands)
        commands.append(.abort)
    }

    /// Ends an exchange as somebody wants who watches the proxy: others on its connections go on.
    mutating func endedByUser(_ lane: Lane?, at now: Timestamp, into commands: inout [MultiplexCommand]) {
        guard let lane else {
            endAll(.abortedByUser, into: &commands)
            finish(Outcome(.aborted, detail: ExchangeOutcome.userDetail), at: now, into: &commands)
            return commands.append(.abort)
        }
        guard exchanges[lane] != nil else { return }
        commands.append(.cancel(lane))
        end(lane, .abortedByUser, at: now, into: &commands)
    }

    private mutating func endAll(_ outcome: ExchangeOutcome, into commands: inout [MultiplexCommand]) {
        for lane in exchanges.keys.sorted() { commands.append(.endExchange(lane, outcome)) }
        exchanges = [:]
        waiting = []
        dropTunnels(into: &commands)
        for id in links.keys.sorted() { close(id, into: &commands) }
    }

    mutating func clientClosed(
        _ kind: CloseKind,
        sentData: Bool,
        at now: Timestamp,
        into commands: inout [MultiplexCommand]
    ) {
        dropTunnels(isOrderly: kind.isOrderly, into: &commands)
        flow.noteClientEnd(kind, handshakeEnded: handshakeEnded, sentData: sentData, at: now)
        guard exchanges.isEmpty else {
            return abort(
                Outcome(.aborted, fault: .client, detail: "the client went away: \(kind.words)"),
                .client,
                at: now,
                into: &commands
            )
        }
        flow.noteSilentRejection(
            kind,
            handshakeEnded: handshakeEnded,
            sentData: sentData,
            mirrored: mirrored,
            at: now
        )
        endAll(.completed, into: &commands)
        commands.append(.closeClient)
        let detail = sentData || authority != nil ? "the client closed the connection" : flow.silence
        finish(Outcome(.completed, detail: detail), at: now, into: &commands)
    }

    mutating func clientFailed(_ detail: String, at now: Timestamp, into commands: inout [MultiplexCommand]) {
        flow.outcome = Outcome(.refused, fault: .client, detail: detail)
        endAll(.aborted(by: .client, detail), into: &commands)
        close(at: now, into: &commands)
    }

    mutating func expired(at now: Timestamp, into commands: inout [MultiplexCommand]) {
        if isClosing {
            finish(Outcome(.completed, detail: "done"), at: now, into: &commands)
            return commands.append(.abort)
        }
        if let lane = exchanges.first(where: { $0.value.isLingering })?.key {
            // The client is slow, and the server waits for it: so may we.
            exchanges[lane]?.isLingering = false
            return commands.append(.arm(policy.limits.idleTimeout))
        }
        // Tunnels have deadlines of their own.
        guard tunnels.isEmpty else { return commands.append(.arm(policy.limits.idleTimeout)) }
        let detail = "nothing moved for too long"
        isDraining = true
        commands.append(.announceEnd)
        flow.outcome = Outcome(exchanges.isEmpty ? .completed : .timedOut, detail: detail)
        for lane in exchanges.keys.sorted() {
            guard let exchange = exchanges[lane] else { continue }
            if exchange.responseHasBegun {
                commands.append(.reset(lane, .client, .cancel))
                end(lane, .failed(detail), at: now, into: &commands)
            } else {
                answer(ErrorPage.noAnswerInTime(policy.limits), lane, at: now, into: &commands)
            }
        }
        close(at: now, into: &commands)
    }

    mutating func drain(_ outcome: Outcome, at now: Timestamp, into commands: inout [MultiplexCommand]) {
        guard !isDraining else { return }
        isDraining = true
        commands.append(.announceEnd)
        endWaiting(at: now, into: &commands)
        guard isQuiet, !isClosing else { return }
        flow.outcome = outcome
        close(at: now, into: &commands)
    }
}

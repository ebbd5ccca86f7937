import PinholeHTTP2
import PinholeModel

/// Exchanges that end before both messages are complete, and requests that are sent again.
extension Conversation {
    /// Handles the loss of the server while the response may be held.
    ///
    /// - Returns: Whether nothing else is to be done, because the whole response is there, or because the exchange has
    ///   ended.
    mutating func responseIsKept(_ lane: Lane) -> Bool {
        guard let open = exchanges[lane], let held = open.machine.held, held.response != nil else {
            return false
        }
        guard held.isWhole else {
            let step = open.machine.releaseResponse(.broken, flow: flow, into: &commands)
            perform(on: open, step)
            return exchanges[lane] == nil
        }
        requestUnwanted(lane)
        return true
    }

    /// Ends an exchange without a response.
    mutating func cut(_ lane: Lane, isReset: Bool, _ reason: String) {
        guard clientIsMultiplexed else { return cutHTTP1(lane, isReset: isReset, reason) }
        commands.append(.reset(lane, .client, isReset ? .internalError : .cancel))
        end(lane, .answeredByProxy(reason))
    }

    /// Ends an exchange of HTTP/1 and its connection without a response.
    private mutating func cutHTTP1(_ lane: Lane, isReset: Bool, _ reason: String) {
        guard isReset else {
            isDraining = true
            return end(lane, .answeredByProxy(reason))
        }
        exchanges[lane] = nil
        waiting = []
        commands += [.driver(.resetClient), .endExchange(lane, .answeredByProxy(reason))]
        for id in links.keys { release(id) }
        finish(Outcome(.completed, detail: reason))
        commands.append(.driver(.abort))
    }

    mutating func clientReset(_ lane: Lane, _ code: HTTP2ErrorCode, _ detail: String) {
        guard let open = exchanges[lane] else { return }
        if open.link != nil { commands.append(.reset(lane, .server, code)) }
        end(lane, .aborted(by: .client, detail))
    }

    mutating func serverReset(_ lane: Lane, _ code: HTTP2ErrorCode, _ detail: String) {
        if responseIsKept(lane) { return }
        serverFailed(lane, code, detail)
    }

    /// Ends an exchange whose server did not respond properly.
    mutating func serverFailed(_ lane: Lane, _ code: HTTP2ErrorCode, _ detail: String) {
        guard let open = exchanges[lane] else { return }
        guard clientIsMultiplexed || open.machine.responseHasBegun else {
            return answer(noAnswer(open.machine.target, detail), lane)
        }
        // A reset would overtake the part of a complete response that the client has not read yet.
        guard open.machine.responseIsComplete else {
            let outcome = Outcome(.aborted, fault: .server, detail: detail)
            return breakOff(lane, code, .aborted(by: .server, detail), ending: outcome)
        }
        commands.append(.discardRequest(lane, isStopped: true))
        end(lane, .aborted(by: .server, detail))
    }

    /// Ends an exchange whose response is not complete.
    ///
    /// A client of HTTP/1 learns this from the end of its connection: the length or the chunks are not complete, or
    /// close_notify is missing. If none of these can show it, the connection is reset.
    mutating func breakOff(
        _ lane: Lane,
        _ code: HTTP2ErrorCode,
        _ outcome: ExchangeOutcome,
        ending flowOutcome: Outcome
    ) {
        if !clientIsMultiplexed {
            if exchanges[lane]?.machine.responseEndsAtClose == true, scheme == .http {
                commands.append(.driver(.resetClient))
                return abort(flowOutcome, flowOutcome.fault)
            }
            flow.outcome = flow.outcome ?? flowOutcome
        }
        commands.append(.reset(lane, .client, code))
        end(lane, outcome)
    }

    /// Discards the rest of a request that the server does not read; `isStopped` if the server has said so.
    mutating func requestUnwanted(_ lane: Lane, isStopped: Bool = false) {
        guard let open = exchanges[lane], !open.machine.requestIsComplete else { return }
        if let link = open.link, links[link]?.isMultiplexed == false {
            // The next request would be sent in the middle of this one.
            open.link = nil
            close(link)
        }
        commands.append(.discardRequest(lane, isStopped: isStopped))
        if open.isOnHTTP1 {
            // The client must send the rest before it can send anything else.
            open.isLingering = false
            if open.machine.responseIsComplete {
                commands.append(.driver(.arm(.idle, policy.limits.idleTimeout)))
            }
            return
        }
        open.machine.requestIsComplete = true
        endIfComplete(open)
    }

    /// The time for which a server that has responded may read nothing of the rest of the request.
    private static let patience = Duration.seconds(5)

    /// Waits a short time for the rest of the request of a client of HTTP/1.
    ///
    /// Before that rest, the client can send nothing else (RFC 9112 §9.3), not even the end of its connection.
    mutating func awaitRest(of open: OpenExchange) {
        guard !clientIsMultiplexed else { return }
        open.isLingering = true
        commands.append(.driver(.arm(.idle, Self.patience)))
    }

    /// Discards the rest of a request whose server has responded and stopped reading, without saying so (RFC 9113
    /// §8.1).
    mutating func requestStalled(_ lane: Lane) {
        guard let open = exchanges[lane], open.machine.responseIsComplete else { return }
        if !open.isOnHTTP1 { commands.append(.reset(lane, .server, .cancel)) }
        requestUnwanted(lane)
    }

    /// Handles a request that the server has not processed (RFC 9113 §8.7): it is sent again if that is still
    /// possible.
    mutating func refusedByServer(_ lane: Lane) {
        guard let open = exchanges[lane] else { return }
        if open.machine.isBodiless, open.attempts < 3, !open.machine.responseHasBegun {
            return sendAgain(lane)
        }
        let detail = "the server refused the stream without looking at it"
        guard clientIsMultiplexed else { return answer(noAnswer(open.machine.target, detail), lane) }
        commands.append(.reset(lane, .client, .refusedStream))
        end(lane, .aborted(by: .server, detail))
    }

    /// Puts an exchange at the front of the queue, because it is older than those that wait.
    mutating func sendAgain(_ lane: Lane) {
        guard let open = exchanges[lane] else { return }
        if let link = open.link { _ = links[link]?.remove(lane) }
        open.link = nil
        commands.append(.note(lane, .retried))
        waiting.insert(lane, at: 0)
        serveWaiting()
    }
}

import PinholeModel
import PinholeRules
import PinholeWire

/// The ends.
extension Tunnel {
    /// Lets the client have what waits for it, then closes.
    ///
    /// - Parameters:
    ///   - isAnnounced: Whether the client is told that this is the end, and no accident.
    ///   - now: The time.
    ///   - commands: Receives what to do.
    mutating func close(
        isAnnounced: Bool = true,
        at now: Timestamp,
        into commands: inout [TunnelCommand]
    ) {
        if case .ready = link, exchange == nil, phase == .exchanging {
            releaseServer(into: &commands)
        } else {
            commands.append(.closeServer)
            link = .none
        }
        phase = .closing
        commands.append(.arm(.idle, Self.linger))
        commands.append(.closeClient(isAnnounced: isAnnounced))
    }

    /// How long a client that was told the end may take to close its side.
    static let linger = Duration.seconds(2)

    /// Drops everything.
    mutating func abort(_ outcome: Outcome, at now: Timestamp, into commands: inout [TunnelCommand]) {
        if exchange.take() != nil {
            commands.append(.endExchange(Self.exchangeOutcome(of: outcome)))
        }
        finish(outcome, at: now, into: &commands)
        commands.append(.abort)
    }

    /// Ends the exchange under way, or the relay, as somebody wants who watches the proxy.
    ///
    /// HTTP/1 has no word for that but the end of the connection, and a reset is taken for no proper end by either side:
    /// a response that ends with its connection would look whole, and a server that waits would not notice.
    mutating func endedByUser(at now: Timestamp, into commands: inout [TunnelCommand]) {
        commands += [.resetClient, .resetServer]
        let kind: Outcome.Kind = exchange == nil ? .aborted : .completed
        if exchange.take() != nil { commands.append(.endExchange(.abortedByUser)) }
        finish(Outcome(kind, detail: ExchangeOutcome.userDetail), at: now, into: &commands)
        commands.append(.abort)
    }

    private static func exchangeOutcome(of outcome: Outcome) -> ExchangeOutcome {
        outcome.fault.map { .aborted(by: $0, outcome.detail) } ?? .failed(outcome.detail)
    }

    mutating func requestFailed(
        _ failure: HTTP1Failure,
        at now: Timestamp,
        into commands: inout [TunnelCommand]
    ) {
        let outcome = Outcome(.refused, fault: .client, detail: failure.detail)
        let page = ErrorPage.refused(failure)
        if exchange != nil {
            guard exchange?.responseHasBegun == false else { return abort(outcome, at: now, into: &commands) }
            exchange?.closesClient = true
            flow.outcome = outcome
            link = .none
            commands.append(.closeServer)
            return answer(page.answer(accept: nil), at: now, into: &commands)
        }
        guard phase == .awaitingRequest || phase == .exchanging else { return }
        flow.outcome = outcome
        commands.append(.answer(page.answer(accept: nil), closing: true))
        close(at: now, into: &commands)
    }

    mutating func clientClosed(_ kind: CloseKind, at now: Timestamp, into commands: inout [TunnelCommand]) {
        switch phase {
        case .exchanging:
            flow.noteClientEnd(kind, handshakeEnded: handshakeEnded, sentData: clientSentData, at: now)
            if let exchange {
                // A client that has sent its whole request may close its half and still read the answer; of one
                // that waits here nothing was sent, and whoever closes most likely wants none of it any more.
                if exchange.requestIsComplete, !isHeld, !isResponseAwaited,
                    kind == .orderly || kind == .truncated
                {
                    self.exchange?.closesClient = true
                    return
                }
                return abort(
                    Outcome(.aborted, fault: .client, detail: "the client went away: \(kind.words)"),
                    at: now,
                    into: &commands
                )
            }
            releaseServer(into: &commands)
            link = .none
            flow.noteSilentRejection(
                kind,
                handshakeEnded: handshakeEnded,
                sentData: clientSentData,
                mirrored: mirrored,
                at: now
            )
            commands.append(.closeClient(isAnnounced: true))
            finish(Outcome(.completed, detail: "the client closed the connection"), at: now, into: &commands)
        case .closing:
            finish(Outcome(.completed, detail: "done"), at: now, into: &commands)
            commands.append(.abort)
        case .relaying:
            relayClosed(.client, kind, at: now, into: &commands)
        case .dialing(.connect) where isHalfClose(kind), .dialing(.peek) where isHalfClose(kind),
            .peeking where isHalfClose(kind):
            clientHalfClosed(at: now, into: &commands)
        case .awaitingRequest, .negotiating:
            let detail = clientSentData ? "the client closed inside its first request" : flow.silence
            abort(Outcome(.completed, detail: detail), at: now, into: &commands)
        case .authenticating, .securingInbound, .dialing, .peeking, .securingServer, .minting,
            .securingClient:
            commands.append(.releaseServer)
            abort(
                Outcome(.aborted, fault: .client, detail: "the client went away before the tunnel was open"),
                at: now,
                into: &commands
            )
        case .handedOver, .closed: break
        }
    }

    mutating func serverClosed(_ kind: CloseKind, at now: Timestamp, into commands: inout [TunnelCommand]) {
        switch phase {
        case .exchanging:
            guard let current = exchange, !isHeld else {
                link = .none
                if case .alert = kind { noteMissingCertificate(kind) }
                return commands.append(.closeServer)
            }
            guard case .ready(_, let isReused) = link else { return }
            if isResponseHeld, responseIsKept(without: kind, at: now, into: &commands) { return }
            if current.responseIsComplete { return serverLingers(kind, into: &commands) }
            if isReused, !current.responseHasBegun, current.isRepeatable {
                return retry(at: now, into: &commands)
            }
            if mayWantHTTP2, !current.isElsewhere, !current.responseHasBegun, current.isRepeatable {
                let request = HandedRequest(head: current.request, wasSent: true)
                return askForHTTP2(again: request, into: &commands)
            }
            if asksOriginForHTTP2(into: &commands) { return }
            if current.responseEndsAtClose, kind == .truncated {
                let detail = "the server closed without close_notify: the body may be incomplete"
                return responseCutOff(detail, at: now, into: &commands)
            }
            serverFailed(kind.brokenPromise, kind, at: now, into: &commands)
        case .relaying:
            relayClosed(.server, kind, at: now, into: &commands)
        case .peeking:
            if secured != nil {
                // A pooled connection grew stale before it was used.
                secured = nil
                commands.append(.closeServer)
                guard let authority else { return }
                phase = .dialing(.peek)
                return commands.append(
                    .dial(DialTarget(authority: authority, serverName: nil, mayReuse: false))
                )
            }
            abort(
                Outcome(
                    .aborted,
                    fault: .server,
                    detail: "the server closed before the client said anything"
                ),
                at: now,
                into: &commands
            )
        case .authenticating, .minting, .securingClient, .dialing:
            // Requests will make a new connection, unless the server has said why it wants none.
            link = .none
            commands.append(.closeServer)
            if case .alert = kind { noteMissingCertificate(kind) }
        case .awaitingRequest, .negotiating, .securingInbound, .securingServer, .handedOver, .closing,
            .closed:
            break
        }
    }

    /// The server answered before the request was complete, and says no more.
    ///
    /// One that lingers (RFC 9112 §9.6) still reads, so the rest of the request is sent to it; else it
    /// is thrown away. Either way the client may finish, and reads the answer undisturbed.
    private mutating func serverLingers(_ kind: CloseKind, into commands: inout [TunnelCommand]) {
        exchange?.keepsServer = false
        switch kind {
        case .orderly, .truncated: break
        case .cancelled, .reset, .alert: discardRest(into: &commands)
        }
    }

    /// The server answered before the request was complete, and has stopped reading without a word.
    mutating func requestStalled(into commands: inout [TunnelCommand]) {
        guard exchange?.isLingering == true else { return }
        exchange?.keepsServer = false
        discardRest(into: &commands)
        commands.append(.arm(.idle, policy.limits.idleTimeout))
    }

    /// Lets the client finish a request whose rest nobody wants.
    private mutating func discardRest(into commands: inout [TunnelCommand]) {
        exchange?.isLingering = false
        link = .none
        commands.append(.closeServer)
        commands.append(.discardRequest)
    }

    /// Sends the request again on a fresh connection (RFC 9112 §9.3.1).
    private mutating func retry(at now: Timestamp, into commands: inout [TunnelCommand]) {
        exchange?.wasRetried = true
        commands.append(.closeServer)
        commands.append(.note(.retried))
        dialForExchange(mayReuse: false, into: &commands)
    }

    /// A response broke off, or is over and nobody announced the end (RFC 9112 §9.8), as servers do that
    /// leave out close_notify.
    ///
    /// What came is passed on; the client is not told more than we were, and the record says so.
    private mutating func responseCutOff(
        _ detail: String,
        at now: Timestamp,
        into commands: inout [TunnelCommand]
    ) {
        exchange = nil
        link = .none
        flow.outcome = Outcome(.aborted, fault: .server, detail: detail)
        commands.append(.endExchange(.aborted(by: .server, detail)))
        close(isAnnounced: false, at: now, into: &commands)
    }

    /// Recognises a server that refuses our missing client certificate after the handshake, as TLS 1.3
    /// servers do (RFC 8446 §4.4.2.4).
    ///
    /// - Returns: Whether it is one.
    @discardableResult
    private mutating func noteMissingCertificate(_ kind: CloseKind) -> Bool {
        guard var handshake = secured?.handshake ?? flow.serverHandshake,
            handshake.isClientCertificateMissing,
            let failure = HandshakeClassifier.serverAfterHandshake(kind)
        else { return false }
        handshake.failure = failure
        flow.serverHandshake = handshake
        secured = SecuredServer(handshake: handshake, chain: .absent(failure.detail))
        return true
    }

    /// The server did not answer as it should.
    ///
    /// - Parameters:
    ///   - reason: What happened.
    ///   - kind: How its stream ended, where that is what happened.
    ///   - now: The time.
    ///   - commands: Receives what to do.
    mutating func serverFailed(
        _ reason: String,
        _ kind: CloseKind?,
        at now: Timestamp,
        into commands: inout [TunnelCommand]
    ) {
        // What an earlier connection said does not concern the one that is being made.
        guard link != .dialing, link != .securing else { return }
        if isResponseHeld, responseIsKept(without: kind ?? .reset(reason), at: now, into: &commands) {
            return
        }
        if let exchange, exchange.responseHasBegun {
            // A client that gets what came sees that it is not all: by the length, the chunks, or the
            // close_notify that is left out. Where nothing of that is there, only a reset tells.
            guard scheme == .https || !exchange.responseEndsAtClose else {
                commands.append(.resetClient)
                return abort(Outcome(.aborted, fault: .server, detail: reason), at: now, into: &commands)
            }
            return responseCutOff(reason, at: now, into: &commands)
        }
        link = .none
        commands.append(.closeServer)
        guard let current = exchange else { return }
        if let kind, current.target.serverName != nil, noteMissingCertificate(kind) {
            exchange?.closesClient = true
            commands.append(.record(flow))
            return answer(
                ErrorPage.clientCertificateMissing(current.target.authority, reason),
                at: now,
                into: &commands
            )
        }
        let page = ErrorPage.noUsableAnswer(of: current.target.authority, through: forwardingHop, reason)
        answer(page, at: now, into: &commands)
    }

    /// One half of a relay is done; the other half may go on.
    private mutating func relayClosed(
        _ side: Side,
        _ kind: CloseKind,
        at now: Timestamp,
        into commands: inout [TunnelCommand]
    ) {
        let outcome = Outcome(.completed, detail: "the \(side.rawValue) closed the connection")
        switch kind {
        case .orderly, .truncated:
            if closedHalves.contains(side.opposite) {
                endRelay(outcome, at: now, into: &commands)
            } else {
                closedHalves.append(side)
                commands.append(.closeHalf(toward: side.opposite))
            }
        case .cancelled: endRelay(outcome, at: now, into: &commands)
        case .reset(let reason):
            // A browser resets the WebSockets of a page that its user leaves, which is no failure.
            let isLeft = side == .client && exchange != nil
            let outcome = Outcome(
                isLeft ? .completed : .aborted,
                fault: isLeft ? nil : side,
                detail: "the \(side.rawValue) broke the connection: \(reason)"
            )
            guard isInStream else { return endRelay(outcome, at: now, into: &commands) }
            // RFC 9113 §8.5: a tunnel in a stream hands a reset on as one.
            commands.append(side == .server ? .resetClient : .resetServer)
            abort(outcome, at: now, into: &commands)
        case .alert(let alert):
            endRelay(
                Outcome(.aborted, fault: side, detail: "the \(side.rawValue) ended with the alert \(alert)"),
                at: now,
                into: &commands
            )
        }
    }

    private mutating func endRelay(
        _ outcome: Outcome,
        at now: Timestamp,
        into commands: inout [TunnelCommand]
    ) {
        if exchange.take() != nil { commands.append(.endExchange(.completed)) }
        phase = .closing
        flow.outcome = outcome
        commands.append(.closeServer)
        commands.append(.arm(.idle, Self.linger))
        commands.append(.closeClient(isAnnounced: true))
    }

    mutating func expired(_ deadline: Deadline, at now: Timestamp, into commands: inout [TunnelCommand]) {
        switch (deadline, phase) {
        case (_, .closing):
            finish(Outcome(.completed, detail: "done"), at: now, into: &commands)
            commands.append(.abort)
        case (.handshake(.client), .securingClient), (.handshake(.server), _):
            break  // The stack turns these into failed handshakes.
        case (.head, .awaitingRequest), (.head, .exchanging):
            guard exchange == nil else { return }
            requestTimedOut(at: now, into: &commands)
        case (.rest, _): rest(into: &commands)
        case (.idle, .peeking) where isUnserved: endUnserved(at: now, into: &commands)
        case (.head, .negotiating): negotiationTimedOut(at: now, into: &commands)
        case (.idle, .exchanging) where exchange?.isLingering == true:
            // The client is slow, and the server waits for it: so may we.
            exchange?.isLingering = false
            commands.append(.arm(.idle, policy.limits.idleTimeout))
        default:
            if exchange?.responseHasBegun == false {
                exchange?.closesClient = true
                link = .none
                commands.append(.closeServer)
                return answer(ErrorPage.noAnswerInTime(policy.limits), at: now, into: &commands)
            }
            let isQuiet = phase == .exchanging && exchange == nil
            abort(
                Outcome(isQuiet ? .completed : .timedOut, detail: "nothing moved for too long"),
                at: now,
                into: &commands
            )
        }
    }

    private mutating func requestTimedOut(at now: Timestamp, into commands: inout [TunnelCommand]) {
        let time = policy.limits.headTimeout.secondsText
        flow.outcome = Outcome(
            .timedOut,
            fault: .client,
            detail: "no complete request head came within \(time)"
        )
        let page = ErrorPage(
            status: 408,
            title: "The request took too long",
            detail: "No complete request head came within \(time).",
            remedy: "limits.headTimeoutSeconds in config.json sets how long Pinhole waits."
        )
        commands.append(.answer(page.answer(accept: nil), closing: true))
        close(at: now, into: &commands)
    }

    mutating func drain(_ outcome: Outcome, at now: Timestamp, into commands: inout [TunnelCommand]) {
        isDraining = true
        if isWaiting { return abort(outcome, at: now, into: &commands) }
        // A tunnel whose client has said nothing may be one whose server is about to speak first.
        switch phase {
        case .awaitingRequest, .negotiating, .authenticating: break
        case .exchanging where exchange == nil: break
        default: return
        }
        flow.outcome = outcome
        close(at: now, into: &commands)
    }
}

extension Outcome {
    /// The end of a connection that was open when the proxy was stopped.
    static let stoppedProxy = Outcome(.stopped, detail: "the proxy was stopped")
    /// The end of a connection whose host has other settings now.
    static let changedSettings = Outcome(.completed, detail: "the settings of the host were changed")
}

extension Tunnel.Exchange {
    /// Whether the request may be sent twice: idempotent (RFC 9110 §9.2.2) and without a body.
    var isRepeatable: Bool {
        guard !wasRetried, request.framing == .none else { return false }
        return HTTPMethod.isIdempotent(request.method)
    }

    /// Whether a rule names its server.
    var isElsewhere: Bool { ruling?.plan.isElsewhere ?? false }
}

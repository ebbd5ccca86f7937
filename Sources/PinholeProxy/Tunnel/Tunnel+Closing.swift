import PinholeModel
import PinholeWire

/// The ends of a tunnel and of its relay.
extension Tunnel {
    /// Closes the connection after everything that waits for the client was sent.
    ///
    /// - Parameter isAnnounced: Whether the client is told that this is a proper end.
    mutating func close(isAnnounced: Bool = true) {
        if hasServer, phase == .open {
            commands.append(.driver(.releaseLink(.first)))
        } else {
            commands.append(.driver(.closeLink(.first)))
        }
        hasServer = false
        phase = .closing
        commands.append(.driver(.arm(.idle, Self.linger)))
        commands.append(.closeClient(isAnnounced: isAnnounced))
    }

    /// The time that a client has to close its side after it was told the end.
    static let linger = Duration.seconds(2)

    /// Closes both connections at once.
    mutating func abort(_ outcome: Outcome) {
        finish(outcome)
        commands.append(.driver(.abort))
    }

    /// Ends the connection or the relay at the user's request.
    ///
    /// The proxy resets both connections, so that neither side takes this for a proper end.
    mutating func endedByUser() {
        commands += [.driver(.resetClient), .driver(.resetLink(.first))]
        finish(Outcome(.aborted, detail: ExchangeOutcome.userDetail))
        commands.append(.driver(.abort))
    }

    mutating func requestFailed(_ failure: HTTP1Failure) {
        let outcome = Outcome(.refused, fault: .client, detail: failure.detail)
        let page = ErrorPage.refused(failure)
        guard phase == .awaitingRequest || phase == .open else { return }
        flow.outcome = outcome
        commands.append(.answer(page.answer(accept: nil)))
        close()
    }

    mutating func clientClosed(_ kind: CloseKind) {
        switch phase {
        case .open:
            flow.noteClientEnd(kind, handshakeEnded: handshakeEnded, sentData: clientSentData, at: now)
            if hasServer { commands.append(.driver(.releaseLink(.first))) }
            hasServer = false
            flow.noteSilentRejection(
                kind,
                handshakeEnded: handshakeEnded,
                sentData: clientSentData,
                mirrored: mirrored,
                at: now
            )
            commands.append(.closeClient(isAnnounced: true))
            finish(Outcome(.completed, detail: "the client closed the connection"))
        case .closing:
            finish(Outcome(.completed, detail: "done"))
            commands.append(.driver(.abort))
        case .relaying: relayClosed(.client, kind)
        case .dialing(.connect) where isHalfClose(kind), .dialing(.peek) where isHalfClose(kind),
            .peeking where isHalfClose(kind):
            clientHalfClosed()
        case .awaitingRequest, .negotiating:
            let detail = clientSentData ? "the client closed inside its first request" : flow.silence
            abort(Outcome(.completed, detail: detail))
        case .authenticating, .securingInbound, .dialing, .peeking, .securingServer, .minting,
            .securingClient:
            commands.append(.driver(.releaseLink(.first)))
            abort(
                Outcome(.aborted, fault: .client, detail: "the client went away before the tunnel was open")
            )
        case .handedOver, .closed: break
        }
    }

    mutating func serverClosed(_ kind: CloseKind) {
        switch phase {
        case .relaying: relayClosed(.server, kind)
        case .peeking:
            if secured != nil {
                // A pooled connection was closed before it was used.
                secured = nil
                commands.append(.driver(.closeLink(.first)))
                guard let authority else { return }
                phase = .dialing(.peek)
                return dial(DialTarget(authority: authority, serverName: nil, mayReuse: false))
            }
            abort(
                Outcome(
                    .aborted,
                    fault: .server,
                    detail: "the server closed before the client said anything"
                )
            )
        case .authenticating, .minting, .securingClient, .dialing, .open:
            // Requests make a new connection, unless the server has said why it refuses one.
            hasServer = false
            commands.append(.driver(.closeLink(.first)))
            if case .alert = kind { noteMissingCertificate(kind) }
        case .awaitingRequest, .negotiating, .securingInbound, .securingServer, .handedOver, .closing,
            .closed:
            break
        }
    }

    /// Recognises a server that refuses the missing client certificate after the handshake, as servers of TLS 1.3 do
    /// (RFC 8446 §4.4.2.4).
    private mutating func noteMissingCertificate(_ kind: CloseKind) {
        guard var handshake = secured?.handshake ?? flow.serverHandshake,
            handshake.isClientCertificateMissing,
            let failure = HandshakeClassifier.serverAfterHandshake(kind)
        else { return }
        handshake.failure = failure
        flow.serverHandshake = handshake
        secured = SecuredServer(handshake: handshake, chain: .absent(failure.detail))
    }

    /// Handles the end of one half of a relay; the other half may continue.
    private mutating func relayClosed(_ side: Side, _ kind: CloseKind) {
        let outcome = Outcome(.completed, detail: "the \(side.rawValue) closed the connection")
        switch kind {
        case .orderly, .truncated:
            if closedHalves.contains(side.opposite) {
                endRelay(outcome)
            } else {
                closedHalves.append(side)
                commands.append(.closeHalf(toward: side.opposite))
            }
        case .cancelled: endRelay(outcome)
        case .reset(let reason):
            let outcome = Outcome(
                .aborted,
                fault: side,
                detail: "the \(side.rawValue) broke the connection: \(reason)"
            )
            guard isInStream else { return endRelay(outcome) }
            // RFC 9113 §8.5: a tunnel in a stream passes a reset on as a reset.
            commands.append(side == .server ? .driver(.resetClient) : .driver(.resetLink(.first)))
            abort(outcome)
        case .alert(let alert):
            endRelay(
                Outcome(.aborted, fault: side, detail: "the \(side.rawValue) ended with the alert \(alert)")
            )
        }
    }

    private mutating func endRelay(_ outcome: Outcome) {
        phase = .closing
        flow.outcome = outcome
        commands.append(.driver(.closeLink(.first)))
        commands.append(.driver(.arm(.idle, Self.linger)))
        commands.append(.closeClient(isAnnounced: true))
    }

    mutating func expired(_ deadline: Deadline) {
        switch (deadline, phase) {
        case (_, .closing):
            finish(Outcome(.completed, detail: "done"))
            commands.append(.driver(.abort))
        case (.handshake(.client), .securingClient), (.handshake(.server), _):
            break  // The stack turns these into failed handshakes.
        case (.head, .awaitingRequest), (.head, .open): requestTimedOut()
        case (.idle, .peeking) where isUnserved: endUnserved()
        case (.head, .negotiating): negotiationTimedOut()
        default:
            abort(Outcome(phase == .open ? .completed : .timedOut, detail: "nothing moved for too long"))
        }
    }

    private mutating func requestTimedOut() {
        let page = displacement == nil ? ErrorPage.requestTooSlow(policy.limits) : .displaced(status: 408)
        flow.outcome = Outcome(.timedOut, fault: .client, detail: page.detail)
        commands.append(.answer(page.answer(accept: nil)))
        close()
    }

    mutating func drain(_ outcome: Outcome) {
        isDraining = true
        // A tunnel whose client has sent nothing is not closed: its server may be about to speak first.
        switch phase {
        case .awaitingRequest, .negotiating, .authenticating, .open: break
        default: return
        }
        flow.outcome = outcome
        close()
    }
}

extension Outcome {
    /// The reason for the end of a connection whose place another one needs.
    package static let newerConnection = "gave way to a newer connection"
    /// The reason for the end of a connection that gets no place.
    package static let noPlace = "all places for connections are in use"
    /// The outcome of a connection that was open when the proxy was stopped.
    static let stoppedProxy = Outcome(.stopped, detail: "the proxy was stopped")
    /// The outcome of a connection whose host has new settings.
    static let changedSettings = Outcome(.completed, detail: "the settings of the host were changed")
}

import PinholeModel

/// How a scenario's decision is read from the signals of a client.
package enum AuditReading: Sendable, Hashable {
    /// As they are.
    case signals
    /// The man in the middle speaks what no correct client speaks, or has tampered with the handshake: whoever ends
    /// it has refused, for whatever reason.
    case handshake
    /// No handshake comes to anything: who tries again with less has gone along, and who gives up has refused.
    case attempts
    /// The honest server leads elsewhere: who asks there has gone along, and who does not follow has refused.
    case redirect

    /// What one connection's signal says.
    func decision(of signal: WireSignal) -> Observation.Decision {
        switch (self, signal) {
        case (.handshake, .nothingInCommon), (.handshake, .tlsError), (.handshake, .aborted): .rejected
        case (.redirect, .cleartext): .accepted
        default: signal.decision
        }
    }

    /// What each connection that counts shows.
    ///
    /// - Parameters:
    ///   - wire: What the man in the middle saw.
    ///   - host: The honest server.
    ///   - attempts: What somebody on the way noted of each attempt.
    /// - Returns: The signals, in the connections' order.
    func signals(of wire: WireObservation, host: Host, attempts: [String]) -> [WireSignal] {
        switch self {
        case .signals, .handshake: wire.signals
        case .attempts:
            if attempts.isEmpty { [] } else { [.tried(attempts, isWeaker: LabJournal.isWeaker(attempts))] }
        case .redirect: redirected(wire, host: host)
        }
    }

    private func redirected(_ wire: WireObservation, host: Host) -> [WireSignal] {
        var elsewhere = wire
        elsewhere.flows = wire.flows.filter { $0.leadsElsewhere(than: host) }
        guard elsewhere.flows.isEmpty else { return elsewhere.signals }
        return wire.signals.map { signal in
            switch signal {
            case .accepted(let request, _): .stayed(request: request)
            case _ where signal.decision == .rejected:
                .tlsError("The client did not get as far as the redirect. \(signal.sentence)")
            default: signal
            }
        }
    }
}

extension FlowRecord {
    /// Whether it is a connection to another host than this, or one without TLS.
    fileprivate func leadsElsewhere(than host: Host) -> Bool {
        if treatment == .plain { return true }
        let named =
            clientHello?.serverName
            ?? authority.flatMap { try? Authority($0, defaultPort: 443) }?.host.description
        return named.map { $0 != host.description } ?? false
    }
}

import PinholeModel

/// The rule by which the decision in a scenario is read from the signals of a client.
package enum AuditReading: Sendable, Hashable {
    /// The decisions are those of the signals.
    case signals
    /// A client that ends the handshake has refused, for whatever reason: the man in the middle offers what no correct
    /// client accepts, or tampers with the handshake.
    case handshake
    /// No handshake succeeds: a client that tries again with less has accepted, and one that gives up has refused.
    case attempts
    /// The honest server redirects: a client that follows has accepted, and one that does not has refused.
    case redirect
    /// The first connections meet the honest server, whose leaf this is in DER: only the others show a decision.
    case later(honest: [UInt8])

    /// Reads the decision from the signal of one connection.
    func decision(of signal: WireSignal) -> Observation.Decision {
        switch (self, signal) {
        case (.handshake, .nothingInCommon), (.handshake, .tlsError), (.handshake, .aborted): .rejected
        case (.redirect, .cleartext): .accepted
        default: signal.decision
        }
    }

    /// Finds the signals of the connections that count.
    ///
    /// - Parameters:
    ///   - wire: The records of the man in the middle.
    ///   - host: The honest server.
    ///   - attempts: The notes of the relay about each attempt.
    /// - Returns: The signals, in the connections' order.
    func signals(of wire: WireObservation, host: Host, attempts: [String]) -> [WireSignal] {
        switch self {
        case .signals, .handshake: wire.signals
        case .attempts:
            if attempts.isEmpty { [] } else { [.tried(attempts, isWeaker: LabJournal.isWeaker(attempts))] }
        case .redirect: redirected(wire, host: host)
        case .later(let honest): later(wire, honest)
        }
    }

    private func later(_ wire: WireObservation, _ honest: [UInt8]) -> [WireSignal] {
        var attacked = wire
        attacked.flows = wire.flows.filter { $0.clientHandshake?.presentedChain.first != honest }
        guard !attacked.flows.isEmpty || wire.flows.isEmpty else {
            return [.leftAlone(connections: wire.flows.count)]
        }
        return attacked.signals
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
    /// Whether the connection is to another host than this, or without TLS.
    fileprivate func leadsElsewhere(than host: Host) -> Bool {
        if treatment == .plain { return true }
        let named =
            clientHello?.serverName
            ?? authority.flatMap { try? Authority($0, defaultPort: 443) }?.host.description
        return named.map { $0 != host.description } ?? false
    }
}

import PinholeCrypto
import PinholeModel
import PinholeWire

/// Carries the handshakes and writes down how they ended.
extension TunnelStack {
    /// Tells whether anything happened.
    mutating func advanceClientHandshake(at now: Timestamp) -> Bool {
        guard !client.inbox.isEmpty || client.socketEnd != nil else { return false }
        switch client.tls?.handshake(&client.inbox, &client.outbox) {
        case nil: return false
        case .wantsInput:
            guard client.socketEnd != nil else { return false }
            clientHandshakeFailed(TLSFailure(.truncated, detail: ""), at: now)
        case .failed(let failure): clientHandshakeFailed(failure, at: now)
        case .finished:
            clientMode = .held
            handle(.clientHandshake(clientRecord(at: now)), at: now)
        }
        return true
    }

    /// Ends the handshake with the client; `failure` is `nil` when the deadline passed.
    mutating func clientHandshakeFailed(_ failure: TLSFailure?, at now: Timestamp) {
        var record = clientRecord(at: now)
        let host = tunnel.serverName?.host
        var end = HandshakeClassifier.ClientEnd(
            failure: failure,
            isAcceptedElsewhere: host.map { environment.isAccepted(by: clientKey, besides: $0) } ?? false
        )
        if failure?.kind == .truncated {
            end.failure = nil
            end.close = client.socketEnd ?? .truncated
        }
        record.failure = HandshakeClassifier.client(end)
        clientMode = .ignored
        handle(.clientHandshake(record), at: now)
    }

    private func clientRecord(at now: Timestamp) -> HandshakeRecord {
        var record = HandshakeRecord(
            peer: .client,
            started: handshakeStarted,
            duration: now - handshakeStarted
        )
        record.serverName = tunnel.flow.clientHello?.serverName
        record.presentedChain = identity?.chain.map(\.der) ?? []
        fill(&record, from: client.tls)
        return record
    }

    private func fill(_ record: inout HandshakeRecord, from engine: TLSEngine?) {
        record.version = engine?.version
        record.cipher = engine?.cipher
        record.applicationProtocol = engine?.applicationProtocol
        record.isResumed = engine?.isResumed ?? false
    }

    /// Tells whether anything happened.
    mutating func advanceServerHandshake(at now: Timestamp) -> Bool {
        guard let peer = server.take() else { return false }
        let step = peer.value.tls?.handshake(&peer.value.inbox, &peer.value.outbox)
        let end = peer.value.socketEnd
        server = consume peer
        switch step {
        case nil: return false
        case .wantsInput:
            guard end != nil else { return false }
            serverHandshakeFailed(TLSFailure(.truncated, detail: ""), at: now)
        case .failed(let failure): serverHandshakeFailed(failure, at: now)
        case .finished: serverHandshakeFinished(at: now)
        }
        return true
    }

    private mutating func serverHandshakeFinished(at now: Timestamp) {
        serverMode = .held
        var record = serverRecord(at: now)
        var chain = JudgedChain.of(serverEngine?.verification, mirrors: mirrors, failure: nil)
        if record.isResumed, let known = resumedFrom {
            // No certificate is sent when a session is resumed: what was judged then still holds.
            chain = known.chain
            record.presentedChain = known.handshake.presentedChain
            record.validatedChain = known.handshake.validatedChain
            record.verification = known.handshake.verification
            record.exemption = known.handshake.exemption
        }
        securedServer = SecuredServer(handshake: record, chain: chain)
        handle(.serverHandshake(record, chain), at: now)
    }

    /// Ends the handshake with the server; `failure` is `nil` when the deadline passed.
    mutating func serverHandshakeFailed(_ failure: TLSFailure?, at now: Timestamp) {
        var record = serverRecord(at: now)
        let isSilent = failure?.kind == .truncated
        record.failure = HandshakeClassifier.server(
            isSilent ? nil : failure,
            close: isSilent ? serverEnd ?? .truncated : nil,
            verification: serverEngine?.verification,
            requestedClientCertificate: record.requestedClientCertificate,
            presentedClientCertificate: record.clientCertificate != nil
        )
        if let serverName { environment.forget(serverName) }
        serverMode = .ignored
        let chain = JudgedChain.of(
            serverEngine?.verification,
            mirrors: mirrors,
            failure: record.failure?.detail
        )
        handle(.serverHandshake(record, chain), at: now)
    }

    private var serverEngine: TLSEngine? {
        switch server {
        case .some(let peer): peer.value.tls
        case .none: nil
        }
    }

    private var serverEnd: CloseKind? {
        switch server {
        case .some(let peer): peer.value.socketEnd
        case .none: nil
        }
    }

    private var mirrors: Bool {
        guard let serverName, serverPolicy.exemption(for: serverName.authority) == nil else { return false }
        return serverPolicy.badCertificate == .mirror
    }

    private func serverRecord(at now: Timestamp) -> HandshakeRecord {
        var record = HandshakeRecord(
            peer: .server,
            started: handshakeStarted,
            duration: now - handshakeStarted
        )
        record.serverName = serverName?.host.name
        let engine = serverEngine
        fill(&record, from: engine)
        let verification = engine?.verification
        record.presentedChain = verification?.presented.map(\.der) ?? []
        record.validatedChain = verification?.validated.map(\.der) ?? []
        record.verification = verification.map { $0.fault?.description ?? "the chain leads to a trusted CA" }
        record.exemption = verification?.exemption
        record.requestedClientCertificate = engine?.requestedClientCertificate ?? false
        record.clientCertificate = engine?.presentedClientCertificate?.der
        return record
    }
}

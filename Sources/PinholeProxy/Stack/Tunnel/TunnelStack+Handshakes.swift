import PinholeCrypto
import PinholeModel

/// Performs the handshakes and records how they ended.
extension TunnelStack {
    /// Continues the handshake with the client.
    ///
    /// - Returns: Whether anything happened.
    mutating func advanceClientHandshake(at now: Timestamp) -> Bool {
        guard !client.carried.isEmpty || client.socketEnd != nil else { return false }
        switch client.handshake() {
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

    /// Ends the handshake with the client; `failure` is `nil` if the deadline passed.
    mutating func clientHandshakeFailed(_ failure: TLSFailure?, at now: Timestamp) {
        var record = clientRecord(at: now)
        var end = HandshakeClassifier.ClientEnd(
            failure: failure,
            isAcceptedElsewhere: shown.host.map { environment.isAccepted(by: clientKey, besides: $0) }
                ?? false,
            mirrored: shown.mirrored,
            groups: hello?.groups ?? []
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
        record.serverName = hello?.serverName
        record.presentedChain = identity?.chain.map(\.der) ?? []
        record.note(client.tls)
        return record
    }

    /// Continues the handshake with the server.
    ///
    /// - Returns: Whether anything happened.
    mutating func advanceServerHandshake(at now: Timestamp) -> Bool {
        switch server?.peer.value.handshake() {
        case nil: return false
        case .wantsInput:
            guard server?.peer.value.socketEnd != nil else { return false }
            serverHandshakeFailed(TLSFailure(.truncated, detail: ""), at: now)
        case .failed(let failure): serverHandshakeFailed(failure, at: now)
        case .finished: serverHandshakeFinished(at: now)
        }
        return true
    }

    private mutating func serverHandshakeFinished(at now: Timestamp) {
        serverMode = .held
        guard let secured = serverHandshake?.finished(server?.peer.value.tls, at: now) else { return }
        securedServer = secured
        handle(.serverHandshake(secured.handshake, secured.chain), at: now)
    }

    /// Ends the handshake with the server; `failure` is `nil` if the deadline passed.
    mutating func serverHandshakeFailed(_ failure: TLSFailure?, at now: Timestamp) {
        guard let handshake = serverHandshake else { return }
        environment.forget(handshake.name)
        serverMode = .ignored
        let secured = handshake.failed(
            server?.peer.value.tls,
            failure,
            end: server?.peer.value.socketEnd,
            for: hello,
            at: now
        )
        handle(.serverHandshake(secured.handshake, secured.chain), at: now)
    }
}

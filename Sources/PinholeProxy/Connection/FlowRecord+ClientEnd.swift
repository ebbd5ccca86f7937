import PinholeModel

/// The way in which a client ended a TLS connection, in the record of its flow.
extension FlowRecord {
    /// Records the end of the client's connection, unless it is recorded already.
    mutating func noteClientEnd(
        _ kind: CloseKind,
        handshakeEnded: Timestamp?,
        sentData: Bool,
        at now: Timestamp
    ) {
        guard let ended = handshakeEnded, clientEnd == nil else { return }
        let (end, alert): (ClientEnd.Kind, Alert?) =
            switch kind {
            case .orderly: (.closeNotify, nil)
            case .truncated, .cancelled: (.closed, nil)
            case .reset: (.reset, nil)
            case .alert(let alert): (.alert, alert)
            }
        clientEnd = ClientEnd(end, alert: alert, elapsed: now - ended, sentData: sentData)
    }

    /// Recognises a client that finished the handshake and then closed without a request.
    ///
    /// Pins are often checked after the handshake (docs/TROUBLESHOOTING.md).
    mutating func noteSilentRejection(
        _ kind: CloseKind,
        handshakeEnded: Timestamp?,
        sentData: Bool,
        mirrored: MirroredFault?,
        at now: Timestamp
    ) {
        guard exchanges == 0, !sentData, let ended = handshakeEnded, let handshake = clientHandshake,
            handshake.failure == nil,
            let failure = HandshakeClassifier.afterHandshake(
                kind,
                elapsed: now - ended,
                handshake: handshake,
                mirrored: mirrored
            )
        else { return }
        clientHandshake?.failure = failure
        outcome = Outcome(.handshakeFailed, fault: .client, detail: failure.detail)
    }

    /// The sentence for a client that closed without a request.
    var silence: String {
        guard inbound?.version != nil else { return "the client closed without a request" }
        return
            "the client closed without a request after its handshake with the proxy: a spare connection, or the"
            + " proxy's certificate does not name the host by which the client knows it"
    }
}

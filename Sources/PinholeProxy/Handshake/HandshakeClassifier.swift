import PinholeCrypto
import PinholeModel

/// Reads the cause of a failed handshake from how it ended (docs/TROUBLESHOOTING.md).
///
/// What a peer said in an alert is reported as what it said; everything else is a hint.
enum HandshakeClassifier {
    /// How a handshake with the client ended.
    struct ClientEnd {
        /// What the engine says; `nil` when the stream ended first or a deadline passed.
        var failure: TLSFailure?
        /// How the stream ended; `nil` when it did not.
        var close: CloseKind?
        /// Whether the same client accepts our certificates for other hosts.
        var isAcceptedElsewhere: Bool
        /// The fault in our certificate, where one was mirrored.
        var mirrored: MirroredFault?
    }

    static func client(_ end: ClientEnd) -> HandshakeFailure {
        if let failure = end.failure { return client(failure, end) }
        switch end.close {
        case nil:
            return HandshakeFailure(
                .timedOut,
                isHint: false,
                endedBy: nil,
                detail: "The client was silent in the middle of the handshake until the deadline passed."
            )
        case .alert(let alert): return alerted(alert, end)
        case .reset(let reason): return silent(.reset, "reset the connection (\(reason))", end)
        case .orderly, .truncated, .cancelled:
            return silent(.closed, "closed the connection without a word", end)
        }
    }

    private static func client(_ failure: TLSFailure, _ end: ClientEnd) -> HandshakeFailure {
        switch failure.kind {
        case .alertReceived(let alert): return alerted(alert, end)
        case .truncated: return silent(.closed, "closed the connection without a word", end)
        case .notTLS:
            return HandshakeFailure(
                .notTLS,
                isHint: false,
                endedBy: .client,
                detail: "The client does not speak TLS."
            )
        case .noCommonVersion:
            return HandshakeFailure(
                .noCommonVersion,
                isHint: false,
                endedBy: nil,
                detail:
                    "The client offers no TLS version that Pinhole allows (tls.client.minimum, tls.client.maximum)."
            )
        case .noCommonCipher:
            return HandshakeFailure(
                .noCommonCipher,
                isHint: false,
                endedBy: nil,
                detail: "The client offers no cipher suite, group or signature algorithm that Pinhole has."
            )
        case .noCommonProtocol:
            return HandshakeFailure(
                .noCommonProtocol,
                isHint: false,
                endedBy: nil,
                detail:
                    "The client offers application protocols (ALPN), but none that Pinhole could agree to here."
            )
        case .refused, .certificateRefused, .protocolError, .system:
            return HandshakeFailure(
                .protocolError,
                isHint: false,
                endedBy: nil,
                detail: "The TLS handshake with the client failed: \(failure.detail.sentence)"
            )
        }
    }

    private static func alerted(_ alert: Alert, _ end: ClientEnd) -> HandshakeFailure {
        let failure = failure(alert, end)
        return end.mirrored?.explain(failure, "The client ended the handshake with \(alert)") ?? failure
    }

    private static func failure(_ alert: Alert, _ end: ClientEnd) -> HandshakeFailure {
        let said = "The client ended the handshake with \(alert)"
        let install = "Trust Pinhole's CA in the client (pinhole run, or http://pinhole.test/)."
        let passthrough = "Pass the host through with tls.passthrough if the client cannot be changed."
        switch alert.code {
        case _ where end.isAcceptedElsewhere && [40, 42, 46, 49, 80].contains(alert.code):
            return make(
                .looksPinned,
                alert,
                isHint: true,
                "\(said), although it accepts Pinhole's CA for other hosts: it looks pinned. \(passthrough)"
            )
        case 48:
            // Said plainly, it stands, also where a client of the same kind trusts the CA elsewhere: two
            // programs over one library cannot be told apart, and one may have anchors of its own.
            return make(.authorityNotTrusted, alert, "\(said): it does not trust Pinhole's CA. \(install)")
        case 45:
            return make(.dateRefused, alert, "\(said): it refuses the certificate's dates. Check the clocks.")
        case 112: return make(.nameRefused, alert, "\(said): it refuses the name.")
        case 41...47 where alert.code != 47, 49, 51, 113:
            return make(
                .certificateRefused,
                alert,
                "\(said): it refused the certificate and does not say why: the CA is not trusted, or a pin. \(install)"
            )
        case 40, 80:
            return make(
                .certificateRefused,
                alert,
                isHint: true,
                "\(said) after it saw the certificate: likely a refused certificate or a pin. \(passthrough)"
            )
        case 70: return make(.noCommonVersion, alert, "\(said): no common TLS version.")
        case 71: return make(.noCommonCipher, alert, "\(said): it finds the encryption too weak.")
        case 120: return make(.noCommonProtocol, alert, "\(said): no common application protocol.")
        case 0, 90:
            return make(
                .cancelled,
                alert,
                isHint: true,
                "\(said): it gave up; possibly a refused certificate."
            )
        default: return make(.protocolError, alert, "\(said).")
        }
    }

    private static func make(
        _ cause: HandshakeFailure.Cause,
        _ alert: Alert,
        isHint: Bool = false,
        _ detail: String
    ) -> HandshakeFailure {
        HandshakeFailure(cause, isHint: isHint, endedBy: .client, alert: alert, detail: detail)
    }

    private static func silent(
        _ cause: HandshakeFailure.Cause,
        _ what: String,
        _ end: ClientEnd
    ) -> HandshakeFailure {
        if let mirrored = end.mirrored {
            let failure = HandshakeFailure(cause, isHint: true, endedBy: .client, detail: what)
            return mirrored.explain(failure, "The client \(what) in the handshake")
        }
        if end.isAcceptedElsewhere {
            return HandshakeFailure(
                .looksPinned,
                isHint: true,
                endedBy: .client,
                detail:
                    "The client \(what), although it accepts Pinhole's CA for other hosts: it looks pinned."
            )
        }
        return HandshakeFailure(
            cause,
            isHint: true,
            endedBy: .client,
            detail:
                "The client \(what) in the handshake: perhaps it does not trust Pinhole's CA, or it gave up."
        )
    }

    /// Judges a close after a finished handshake, before any application byte.
    ///
    /// - Returns: `nil` when it says nothing: a browser's spare connection is closed later.
    static func afterHandshake(
        _ kind: CloseKind,
        elapsed: Duration,
        handshake: HandshakeRecord,
        mirrored: MirroredFault? = nil
    ) -> HandshakeFailure? {
        if case .alert(let alert) = kind, alert.code != 0 {
            return alerted(alert, ClientEnd(isAcceptedElsewhere: false, mirrored: mirrored))
        }
        guard elapsed <= max(.milliseconds(100), handshake.duration * 10) else { return nil }
        let what =
            "The client finished the handshake and closed \(elapsed.milliseconds) ms later without a request"
        let failure = HandshakeFailure(
            .looksPinned,
            isHint: true,
            endedBy: .client,
            detail: "\(what): it looks like a pin or a host name that is checked after the handshake."
        )
        return mirrored?.explain(failure, what) ?? failure
    }

    /// Judges a close after a finished handshake in which the server asked for a client certificate and
    /// got none: TLS 1.3 servers refuse that only then.
    ///
    /// - Returns: `nil` when it is no refusal.
    static func serverAfterHandshake(_ kind: CloseKind) -> HandshakeFailure? {
        let alert: Alert?
        switch kind {
        case .alert(let sent) where sent.code == 116 || (40...49).contains(sent.code): alert = sent
        case .alert: return nil
        case .orderly, .truncated, .cancelled, .reset: alert = nil
        }
        return HandshakeFailure(
            .clientCertificateRequired,
            isHint: alert?.code != 116,
            endedBy: .server,
            alert: alert,
            detail: "The server asked for a client certificate, and none is configured for it."
        )
    }

    /// Judges a failed handshake with the server.
    static func server(
        _ failure: TLSFailure?,
        close: CloseKind?,
        verification: ServerVerification?,
        requestedClientCertificate: Bool,
        presentedClientCertificate: Bool
    ) -> HandshakeFailure {
        if let fault = verification?.fault, verification?.exemption == nil {
            return HandshakeFailure(
                .serverCertificateRefused,
                isHint: false,
                endedBy: nil,
                detail: "The server's certificate was refused: \(fault.description.sentence)"
            )
        }
        if requestedClientCertificate, !presentedClientCertificate {
            return HandshakeFailure(
                .clientCertificateRequired,
                isHint: failure?.alert == nil,
                endedBy: .server,
                alert: failure?.alert,
                detail: "The server asked for a client certificate, and none is configured for it."
            )
        }
        guard let failure else { return serverSilent(close) }
        let (cause, what): (HandshakeFailure.Cause, String) =
            switch failure.kind {
            case .alertReceived(let alert) where alert.code == 70:
                (
                    .noCommonVersion,
                    "The server speaks none of the TLS versions that Pinhole allows (\(alert))."
                )
            case .alertReceived(let alert) where alert.code == 40 || alert.code == 71:
                (.noCommonCipher, "The server found no common parameters (\(alert)).")
            case .alertReceived(let alert) where alert.code == 120:
                (.noCommonProtocol, "The server speaks none of the offered application protocols (\(alert)).")
            case .alertReceived(let alert): (.protocolError, "The server ended the handshake with \(alert).")
            case .truncated: (.closed, "The server closed the connection in the handshake.")
            case .notTLS: (.notTLS, "What the server sent is not TLS.")
            case .noCommonVersion: (.noCommonVersion, "No common TLS version with the server.")
            case .noCommonCipher: (.noCommonCipher, "No common cipher suite with the server.")
            case .noCommonProtocol: (.noCommonProtocol, "No common application protocol with the server.")
            case .refused, .certificateRefused, .protocolError, .system:
                (.protocolError, "The TLS handshake with the server failed: \(failure.detail).")
            }
        return HandshakeFailure(
            cause,
            isHint: false,
            endedBy: failure.alert == nil && failure.kind != .truncated ? nil : .server,
            alert: failure.alert,
            detail: what
        )
    }

    private static func serverSilent(_ close: CloseKind?) -> HandshakeFailure {
        switch close {
        case nil:
            HandshakeFailure(
                .timedOut,
                isHint: false,
                endedBy: nil,
                detail: "The server was silent in the handshake until the deadline passed."
            )
        case .reset(let reason):
            HandshakeFailure(
                .reset,
                isHint: false,
                endedBy: .server,
                detail: "The server broke the connection in the handshake: \(reason.sentence)"
            )
        case .orderly, .truncated, .cancelled, .alert:
            HandshakeFailure(
                .closed,
                isHint: false,
                endedBy: .server,
                detail: "The server closed the connection in the handshake."
            )
        }
    }
}

extension TLSFailure {
    /// The alert that the peer sent, if that ended it.
    fileprivate var alert: Alert? {
        guard case .alertReceived(let alert) = kind else { return nil }
        return alert
    }
}

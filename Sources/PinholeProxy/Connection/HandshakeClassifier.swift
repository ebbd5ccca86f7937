import PinholeCrypto
import PinholeModel

/// Finds the cause of a failed handshake from the way in which it ended (docs/TROUBLESHOOTING.md).
///
/// The content of an alert is reported as the peer's statement; every other cause is marked as a hint.
enum HandshakeClassifier {
    /// The facts about the end of a handshake with the client.
    struct ClientEnd {
        /// The failure that the engine reports; `nil` if the stream ended first, or a deadline passed.
        var failure: TLSFailure?
        /// The way in which the stream ended; `nil` if it did not end.
        var close: CloseKind?
        /// Whether the same client accepts our certificates for other hosts.
        var isAcceptedElsewhere: Bool
        /// The fault that was mirrored in our certificate; `nil` if there is none.
        var mirrored: MirroredFault?
        /// The groups that the client offered.
        var groups: [UInt16] = []
        /// The groups that Pinhole's TLS library has.
        var knownGroups = TLSLibrary.offeredGroups
    }

    static func client(_ end: ClientEnd) -> HandshakeFailure {
        if let failure = end.failure { return client(failure, end) }
        switch end.close {
        case nil:
            return HandshakeFailure(
                .timedOut,
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
            return HandshakeFailure(.notTLS, endedBy: .client, detail: "The client does not speak TLS.")
        case .noCommonVersion:
            return HandshakeFailure(
                .noCommonVersion,
                detail:
                    "The client offers no TLS version that Pinhole allows (tls.client.minimum, tls.client.maximum)."
            )
        case .noCommonCipher:
            return HandshakeFailure(
                .noCommonCipher,
                detail: "The client offers no cipher suite or signature algorithm that Pinhole has."
            )
        case .noCommonGroup:
            return HandshakeFailure(
                .noCommonGroup,
                detail: "The client offers no key exchange that Pinhole accepts"
                    + (lackOfGroups(end.groups, knownGroups: end.knownGroups) ?? ".")
            )
        case .noCommonProtocol:
            return HandshakeFailure(
                .noCommonProtocol,
                detail:
                    "The client offers application protocols (ALPN), but none that Pinhole could agree to here."
            )
        case .refused, .certificateRefused, .protocolError, .system:
            return HandshakeFailure(
                .protocolError,
                detail: "The TLS handshake with the client failed: \(failure.detail.sentence)"
            )
        }
    }

    private static func alerted(_ alert: Alert, _ end: ClientEnd) -> HandshakeFailure {
        let failure = failure(alert, end)
        return end.mirrored?.explain(failure, "The client ended the handshake with \(alert)") ?? failure
    }

    /// The alerts that a client may send for a check of its own, such as a pin.
    private static let ownCheckAlerts: Set = [
        Alert.Code.handshakeFailure, Alert.Code.badCertificate, Alert.Code.certificateUnknown,
        Alert.Code.accessDenied, Alert.Code.internalError,
    ]

    private static func failure(_ alert: Alert, _ end: ClientEnd) -> HandshakeFailure {
        let said = "The client ended the handshake with \(alert)"
        let install = "Trust Pinhole's CA in the client (http://pinhole.test/ says how)."
        let passthrough = "Pass the host through with tls.passthrough if the client cannot be changed."
        switch alert.code {
        case _ where end.isAcceptedElsewhere && ownCheckAlerts.contains(alert.code):
            return make(
                .looksPinned,
                alert,
                isHint: true,
                "\(said), although it accepts Pinhole's CA for other hosts: it looks pinned. \(passthrough)"
            )
        case Alert.Code.unknownCA:
            // This alert states the cause, so it counts even if a similar client trusts the CA for other hosts: two
            // programs with the same TLS library look alike, and one of them may have its own trust anchors.
            return make(.authorityNotTrusted, alert, "\(said): it does not trust Pinhole's CA. \(install)")
        case Alert.Code.certificateExpired:
            return make(.dateRefused, alert, "\(said): it refuses the certificate's dates. Check the clocks.")
        case Alert.Code.unrecognizedName: return make(.nameRefused, alert, "\(said): it refuses the name.")
        case _ where Alert.Code.certificateVerdicts.contains(alert.code):
            return make(
                .certificateRefused,
                alert,
                "\(said): it refused the certificate and does not say why: the CA is not trusted, or a pin. \(install)"
            )
        case Alert.Code.handshakeFailure, Alert.Code.internalError:
            return make(
                .certificateRefused,
                alert,
                isHint: true,
                "\(said) after it saw the certificate: likely a refused certificate or a pin. \(passthrough)"
            )
        case Alert.Code.protocolVersion:
            return make(.noCommonVersion, alert, "\(said): no common TLS version.")
        case Alert.Code.insufficientSecurity:
            return make(.noCommonCipher, alert, "\(said): it finds the encryption too weak.")
        case Alert.Code.noApplicationProtocol:
            return make(.noCommonProtocol, alert, "\(said): no common application protocol.")
        case Alert.Code.echRequired:
            // The client sent an encrypted ClientHello, and Pinhole answered the outer one (RFC 9849 §6.1.6).
            return make(
                .protocolError,
                alert,
                "\(said): it insists on Encrypted Client Hello, which no proxy in the middle can accept. Switch ECH "
                    + "off in the client, or keep the HTTPS records with its keys from it. \(passthrough)"
            )
        case Alert.Code.closeNotify, Alert.Code.userCanceled:
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

    /// Judges a close after a finished handshake and before any application byte.
    ///
    /// - Returns: The failure, or `nil` if the close shows none: browsers close spare connections later.
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
            detail: "\(what): the client seems to check a pin or the host name after the handshake."
        )
        return mirrored?.explain(failure, what) ?? failure
    }

    /// Judges a close after a finished handshake in which the server asked for a client certificate and got none.
    ///
    /// Servers of TLS 1.3 refuse that only after the handshake.
    ///
    /// - Returns: The failure, or `nil` if the close is no refusal.
    static func serverAfterHandshake(_ kind: CloseKind) -> HandshakeFailure? {
        let alert: Alert?
        switch kind {
        case .alert(let sent)
        where sent.code == Alert.Code.certificateRequired
            || Alert.Code.aboutCertificates.contains(sent.code):
            alert = sent
        case .alert: return nil
        case .orderly, .truncated, .cancelled, .reset: alert = nil
        }
        return HandshakeFailure(
            .clientCertificateRequired,
            isHint: alert?.code != Alert.Code.certificateRequired,
            endedBy: .server,
            alert: alert,
            detail: "The server asked for a client certificate, and none is configured for it."
        )
    }

    /// Returns the failure of a handshake with the server.
    ///
    /// - Parameters:
    ///   - failure: The failure that the engine reports; `nil` if the stream ended first, or a deadline passed.
    ///   - close: The way in which the stream ended; `nil` if it did not end.
    ///   - verification: The result for the server's chain; `nil` if none was received.
    ///   - requestedClientCertificate: Whether the server asked for a client certificate.
    ///   - presentedClientCertificate: Whether it was given one.
    ///   - hello: The ClientHello of the client for which the server was asked; `nil` if there is none.
    ///   - knownGroups: The groups that Pinhole's TLS library has.
    /// - Returns: The failure.
    static func server(
        _ failure: TLSFailure?,
        close: CloseKind?,
        verification: ChainVerification?,
        requestedClientCertificate: Bool,
        presentedClientCertificate: Bool,
        hello: ClientHelloRecord? = nil,
        knownGroups: [UInt16] = TLSLibrary.offeredGroups
    ) -> HandshakeFailure {
        if let fault = verification?.fault, verification?.exemption == nil {
            return HandshakeFailure(
                .serverCertificateRefused,
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
        if let lack = lackOfGroups(failure, hello, knownGroups: knownGroups) { return lack }
        let (cause, what): (HandshakeFailure.Cause, String) =
            switch failure.kind {
            case .alertReceived(let alert) where alert.code == Alert.Code.protocolVersion:
                (
                    .noCommonVersion,
                    "The server speaks none of the TLS versions that Pinhole allows (\(alert))."
                )
            case .alertReceived(let alert)
            where alert.code == Alert.Code.handshakeFailure
                || alert.code == Alert.Code.insufficientSecurity:
                (.noCommonCipher, "The server found no common parameters (\(alert)).")
            case .alertReceived(let alert) where alert.code == Alert.Code.noApplicationProtocol:
                (.noCommonProtocol, "The server speaks none of the offered application protocols (\(alert)).")
            case .alertReceived(let alert): (.protocolError, "The server ended the handshake with \(alert).")
            case .truncated: (.closed, Self.closedByServer)
            case .notTLS: (.notTLS, "What the server sent is not TLS.")
            case .noCommonVersion: (.noCommonVersion, "No common TLS version with the server.")
            case .noCommonCipher: (.noCommonCipher, "No common cipher suite with the server.")
            case .noCommonGroup: (.noCommonGroup, "No common group of a key exchange with the server.")
            case .noCommonProtocol: (.noCommonProtocol, "No common application protocol with the server.")
            case .refused, .certificateRefused, .protocolError, .system:
                (.protocolError, "The TLS handshake with the server failed: \(failure.detail).")
            }
        return HandshakeFailure(
            cause,
            endedBy: failure.alert == nil && failure.kind != .truncated ? nil : .server,
            alert: failure.alert,
            detail: what
        )
    }

    /// Returns the failure of a server that may accept only key exchanges that the library does not have.
    ///
    /// The server's alert does not tell whether it lacks a cipher suite or a group. If the client offered a
    /// post-quantum group, that group is the difference that the interception made.
    ///
    /// - Returns: `nil` if the server ended the handshake in another way, or the library has the client's groups.
    private static func lackOfGroups(
        _ failure: TLSFailure,
        _ hello: ClientHelloRecord?,
        knownGroups: [UInt16]
    ) -> HandshakeFailure? {
        guard case .alertReceived(let alert) = failure.kind,
            [Alert.Code.handshakeFailure, Alert.Code.insufficientSecurity].contains(alert.code)
        else { return nil }
        let what = "The server found no common parameters (\(alert))"
        if let lack = lackOfGroups(hello?.groups ?? [], knownGroups: knownGroups) {
            return HandshakeFailure(
                .noCommonGroup,
                isHint: true,
                endedBy: .server,
                alert: alert,
                detail: what + lack
            )
        }
        guard !TLSLibrary.isPostQuantum(knownGroups) else { return nil }
        return HandshakeFailure(
            .noCommonCipher,
            endedBy: .server,
            alert: alert,
            detail: "\(what): if the server accepts only post-quantum key exchanges, Pinhole's "
                + "\(TLSLibrary.version) offers none. \(wayOut(knownGroups))"
        )
    }

    /// Names the first post-quantum group of a client that the library does not have, and the remedy; `nil` for none.
    private static func lackOfGroups(_ groups: [UInt16], knownGroups: [UInt16]) -> String? {
        let missing = groups.filter { !knownGroups.contains($0) }.map(TLSGroup.init(rawValue:))
        return missing.first(where: \.isPostQuantum).map {
            ": the client offered \($0), which Pinhole's \(TLSLibrary.version) does not offer. "
                + wayOut(knownGroups)
        }
    }

    private static func wayOut(_ knownGroups: [UInt16]) -> String {
        TLSLibrary.isPostQuantum(knownGroups)
            ? "Pass the host through with tls.passthrough."
            : "Use Pinhole with OpenSSL 3.5 or newer, as in Debian 13 and in Pinhole's container, and without Groups in "
                + "openssl.cnf, or pass the host through with tls.passthrough."
    }

    private static func serverSilent(_ close: CloseKind?) -> HandshakeFailure {
        switch close {
        case nil:
            HandshakeFailure(
                .timedOut,
                detail: "The server was silent in the handshake until the deadline passed."
            )
        case .reset(let reason):
            HandshakeFailure(
                .reset,
                endedBy: .server,
                detail:
                    "The server broke the connection in the handshake: \(reason.sentence) Servers that speak only TLS 1.0 "
                    + "or 1.1 may do so; Pinhole speaks 1.2 and 1.3."
            )
        case .orderly, .truncated, .cancelled, .alert:
            HandshakeFailure(.closed, endedBy: .server, detail: closedByServer)
        }
    }

    /// Servers of old TLS often close without the alert protocol_version (RFC 5246 §7.2.2).
    private static let closedByServer =
        "The server closed the connection in the handshake without an alert, as some servers do that speak only TLS 1.0 "
        + "or 1.1; Pinhole speaks 1.2 and 1.3."
}

extension TLSFailure {
    /// The alert that the peer sent; `nil` if the failure has another cause.
    fileprivate var alert: Alert? {
        guard case .alertReceived(let alert) = kind else { return nil }
        return alert
    }
}

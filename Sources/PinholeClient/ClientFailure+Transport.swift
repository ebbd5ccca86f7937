import PinholeCrypto
import PinholeModel
import PinholeProxy
import PinholeWire

extension ClientFailure {
    /// No connection could be made.
    init(_ failure: DialFailure) {
        let code: URLErrorCode =
            switch failure.kind {
            case .unresolvable: .cannotFindHost
            case .refused, .unreachable, .loop, .hopUnreachable, .hopRefused, .hopAuthentication, .hopLoop:
                .cannotConnectToHost
            case .timedOut: .timedOut
            }
        self.init(code, check: failure.kind == .unresolvable ? "name look-up" : "connection", failure.detail)
    }

    /// Creates the failure of a response that is no valid HTTP.
    init(_ failure: HTTP1Failure) {
        let isCut = failure.code == .truncated
        self.init(isCut ? .networkConnectionLost : .badServerResponse, check: "HTTP", failure.detail)
    }

    /// Creates the failure of a TLS connection.
    ///
    /// - Parameters:
    ///   - failure: The failure of the engine.
    ///   - demandsCertificate: Whether the server asked for a certificate.
    ///   - presented: Whether the client presented one.
    init(_ failure: TLSFailure, demandsCertificate: Bool, presented: Bool) {
        guard case .alertReceived(let alert) = failure.kind else {
            self.init(Self.secureConnection(failure))
            return
        }
        let said = "the server ended TLS with the alert \(alert)"
        // TLS 1.3 has an alert for a missing certificate; servers of TLS 1.2 send one of the others.
        let certificateAlerts = [
            Alert.Code.certificateRequired, Alert.Code.handshakeFailure, Alert.Code.badCertificate,
        ]
        if demandsCertificate, !presented, certificateAlerts.contains(alert.code) {
            self.init(
                .clientCertificateRequired,
                streamCode: SecureTransportCode.peerCertificateUnknown,
                check: "client certificate",
                "\(said): it insists on a client certificate, and none was presented",
                alert: alert
            )
        } else if demandsCertificate, presented, Self.isAboutCertificate(alert) {
            self.init(
                .clientCertificateRejected,
                streamCode: SecureTransportCode.peerBadCertificate,
                check: "client certificate",
                "\(said): it does not accept our client certificate",
                alert: alert
            )
        } else {
            self.init(
                .secureConnectionFailed,
                streamCode: Self.streamCode(of: alert),
                check: "TLS",
                said,
                alert: alert
            )
        }
    }

    /// Whether the alert is about a certificate: bad certificate to unknown CA (RFC 8446 §6.2), a refused signature, or
    /// OpenSSL's alert for a certificate that does not verify.
    private static func isAboutCertificate(_ alert: Alert) -> Bool {
        Alert.Code.aboutCertificates.contains(alert.code) || alert.code == Alert.Code.decryptError
            || alert.code == Alert.Code.certificateRequired
    }

    private static func streamCode(of alert: Alert) -> Int {
        switch alert.code {
        case Alert.Code.handshakeFailure: SecureTransportCode.peerHandshakeFailure
        case Alert.Code.protocolVersion: SecureTransportCode.peerProtocolVersion
        default: SecureTransportCode.fatalAlert
        }
    }

    private static func secureConnection(_ failure: TLSFailure) -> ClientFailure {
        let detail: String
        switch failure.kind {
        case .truncated: detail = "the server closed the connection in the middle of TLS"
        case .notTLS: detail = "what the server said is not TLS: is it a port for plain HTTP?"
        case .noCommonVersion: detail = "client and server have no TLS version in common (\(failure.detail))"
        default: detail = "TLS failed: \(failure.detail)"
        }
        return ClientFailure(
            .secureConnectionFailed,
            streamCode: SecureTransportCode.protocolError,
            check: "TLS",
            detail
        )
    }

    private init(_ other: ClientFailure) { self = other }

    /// Creates the failure of a socket that broke.
    static func lost(_ reason: String, during place: String) -> ClientFailure {
        ClientFailure(.networkConnectionLost, check: "connection", "the connection broke \(place): \(reason)")
    }

    /// The failure of an exchange with too many interim responses and no final one.
    static var endlessInterim: ClientFailure {
        let most = ServerConnection.mostInterim
        return ClientFailure(
            .badServerResponse,
            check: "HTTP",
            "more than \(most) responses of 1xx came, and no final one"
        )
    }

    /// Creates the failure of a body that is longer than the limit.
    static func bodyTooLong(_ limit: Int) -> ClientFailure {
        ClientFailure(.dataLengthExceedsMaximum, check: "length", "the body is longer than \(limit) bytes")
    }

    /// Creates the failure of a wait in which nothing came.
    static func silent(_ patience: Duration, during place: String) -> ClientFailure {
        ClientFailure(.timedOut, check: "connection", "nothing came for \(patience.secondsText) \(place)")
    }
}

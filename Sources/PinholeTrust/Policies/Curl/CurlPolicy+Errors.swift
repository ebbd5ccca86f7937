package import PinholeModel

extension CurlPolicy {
    /// The exit codes of curl, built with OpenSSL (docs/PINS.md#pinning-mechanisms).
    package func error(for cause: RefusalCause, at host: Host) -> ReportedError? {
        if cause.isPin {
            return Self.error(
                90,
                "CURLE_SSL_PINNEDPUBKEYNOTMATCH",
                "SSL: public key does not match pinned public key"
            )
        }
        switch cause {
        case .cleartext:
            return Self.error(1, "CURLE_UNSUPPORTED_PROTOCOL", "Protocol \"http\" is not allowed")
        case .handshake(let detail): return Self.error(35, "CURLE_SSL_CONNECT_ERROR", detail)
        case .connection(let detail): return Self.error(56, "CURLE_RECV_ERROR", detail)
        case .rejection(let rejection):
            let message =
                switch cause.chainFault {
                case .wrongName:
                    "SSL: no alternative certificate subject name matches target host name '\(host)'"
                case .expired: "SSL certificate problem: certificate has expired"
                case .notYetValid: "SSL certificate problem: certificate is not yet valid"
                case .untrusted: "SSL certificate problem: unable to get local issuer certificate"
                case .selfSigned: "SSL certificate problem: self-signed certificate"
                default: "SSL certificate problem: \(rejection.detail)"
                }
            return Self.error(60, "CURLE_PEER_FAILED_VERIFICATION", message)
        }
    }

    private static func error(_ code: Int, _ name: String, _ message: String) -> ReportedError {
        ReportedError("curl", code, name, message)
    }
}

package import PinholeModel

extension HPKPPolicy {
    /// The errors of Chromium, which knew such headers until version 71.
    package func error(for cause: RefusalCause, at host: Host) -> ReportedError? {
        if cause.isPin {
            return Self.error(-150, "SSL_PINNED_KEY_NOT_IN_CERT_CHAIN", "No pin is in the validated chain.")
        }
        switch cause {
        case .handshake(let detail): return Self.error(-107, "SSL_PROTOCOL_ERROR", detail)
        case .connection(let detail): return Self.error(-100, "CONNECTION_CLOSED", detail)
        case .cleartext: return nil
        case .rejection(let rejection):
            switch cause.chainFault {
            case .wrongName: return Self.error(-200, "CERT_COMMON_NAME_INVALID", rejection.detail)
            case .expired, .notYetValid: return Self.error(-201, "CERT_DATE_INVALID", rejection.detail)
            case .untrusted, .selfSigned: return Self.error(-202, "CERT_AUTHORITY_INVALID", rejection.detail)
            case .weakSignature: return Self.error(-208, "CERT_WEAK_SIGNATURE_ALGORITHM", rejection.detail)
            case .weakKey: return Self.error(-211, "CERT_WEAK_KEY", rejection.detail)
            default: return Self.error(-207, "CERT_INVALID", rejection.detail)
            }
        }
    }

    private static func error(_ code: Int, _ name: String, _ message: String) -> ReportedError {
        ReportedError("net", code, "ERR_\(name)", message)
    }
}

import PinholeModel

extension ReportedError {
    /// The error of Java's TLS for a refusal that is not due to pins, on Android and elsewhere.
    static func java(_ cause: RefusalCause, at host: Host) -> ReportedError {
        let handshake = { (message: String) in
            ReportedError("javax.net.ssl", "SSLHandshakeException", message)
        }
        switch cause {
        case .cleartext:
            return ReportedError("java.io", "IOException", "Cleartext HTTP traffic to \(host) not permitted")
        case .handshake(let detail): return handshake(detail)
        case .connection(let detail): return ReportedError("java.io", "IOException", detail)
        case .rejection(let rejection):
            switch cause.chainFault {
            case .wrongName:
                return ReportedError(
                    "javax.net.ssl",
                    "SSLPeerUnverifiedException",
                    "Hostname \(host) not verified"
                )
            case .untrusted, .selfSigned:
                return handshake(
                    "java.security.cert.CertPathValidatorException: Trust anchor for certification path not found."
                )
            case .expired, .notYetValid: return handshake("Chain validation failed")
            default: return handshake("java.security.cert.CertificateException: \(rejection.detail)")
            }
        }
    }
}

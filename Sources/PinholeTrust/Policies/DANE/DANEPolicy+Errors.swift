package import PinholeModel

extension DANEPolicy {
    /// The result of OpenSSL's `SSL_get_verify_result`.
    package func error(for cause: RefusalCause, at host: Host) -> ReportedError? {
        guard case .rejection(let rejection) = cause else { return Self.other(cause) }
        if cause.isPin { return Self.error(65, "X509_V_ERR_DANE_NO_MATCH", "no matching DANE TLSA records") }
        switch cause.chainFault {
        case .wrongName: return Self.error(62, "X509_V_ERR_HOSTNAME_MISMATCH", "hostname mismatch")
        case .expired: return Self.error(10, "X509_V_ERR_CERT_HAS_EXPIRED", "certificate has expired")
        case .notYetValid:
            return Self.error(9, "X509_V_ERR_CERT_NOT_YET_VALID", "certificate is not yet valid")
        case .untrusted, .selfSigned:
            return Self.error(
                20,
                "X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
                "unable to get local issuer certificate"
            )
        default: return Self.error(1, "X509_V_ERR_UNSPECIFIED", rejection.detail)
        }
    }

    private static func other(_ cause: RefusalCause) -> ReportedError? {
        switch cause {
        case .handshake(let detail): error(1, "SSL_ERROR_SSL", detail)
        case .connection(let detail): error(5, "SSL_ERROR_SYSCALL", detail)
        case .rejection, .cleartext: nil
        }
    }

    private static func error(_ code: Int, _ name: String, _ message: String) -> ReportedError {
        ReportedError("OpenSSL", code, name, message)
    }
}

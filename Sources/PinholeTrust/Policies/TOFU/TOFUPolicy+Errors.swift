package import PinholeModel

extension TOFUPolicy {
    /// The result of GnuTLS's `gnutls_verify_stored_pubkey`.
    package func error(for cause: RefusalCause, at host: Host) -> ReportedError? {
        switch cause {
        case .rejection(let rejection):
            let name = cause.isPin ? "GNUTLS_E_CERTIFICATE_KEY_MISMATCH" : "GNUTLS_E_NO_CERTIFICATE_FOUND"
            return ReportedError("GnuTLS", name, rejection.detail)
        case .handshake(let detail): return ReportedError("GnuTLS", "GNUTLS_E_FATAL_ALERT_RECEIVED", detail)
        case .connection(let detail): return ReportedError("GnuTLS", "GNUTLS_E_PREMATURE_TERMINATION", detail)
        case .cleartext: return nil
        }
    }
}

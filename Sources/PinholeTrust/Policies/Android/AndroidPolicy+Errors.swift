package import PinholeModel

extension AndroidPolicy {
    /// `NetworkSecurityTrustManager` throws within the handshake (docs/PINS.md#trustkit-android-apple).
    package func error(for cause: RefusalCause, at host: Host) -> ReportedError? {
        guard cause.isPin else { return .java(cause, at: host) }
        return ReportedError(
            "javax.net.ssl",
            "SSLHandshakeException",
            "java.security.cert.CertificateException: Pin verification failed"
        )
    }
}

package import PinholeModel

extension OkHttpPolicy {
    /// `CertificatePinner.check` throws after the handshake (docs/PINS.md#pinning-mechanisms).
    package func error(for cause: RefusalCause, at host: Host) -> ReportedError? {
        guard cause.isPin else { return .java(cause, at: host) }
        return ReportedError("javax.net.ssl", "SSLPeerUnverifiedException", "Certificate pinning failure!")
    }
}

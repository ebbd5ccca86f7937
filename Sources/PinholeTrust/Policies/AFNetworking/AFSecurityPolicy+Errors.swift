package import PinholeModel

extension AFSecurityPolicy {
    /// The manager stores one error for every refusal (`AFURLSessionManager.m`).
    package func error(for cause: RefusalCause, at host: Host) -> ReportedError? {
        guard case .rejection(let rejection) = cause else { return nil }
        return ReportedError("NSURLErrorDomain", -1202, "serverCertificateUntrusted", rejection.detail)
    }
}

package import PinholeModel

/// What is said of a server that wants a client certificate.
extension ExchangeRecord {
    /// What happened and what to do, for one line; `nil` where there is nothing to do.
    package var hint: String? {
        guard notes.contains(.clientCertificateMissing) else { return nil }
        return
            "the server asked for a client certificate and got none: --client-certificate \(authority.host)=FILE"
    }

    /// What happened, why, and what to do; `nil` where there is nothing to do.
    package var advice: String? {
        guard notes.contains(.clientCertificateMissing) else { return nil }
        let answer = status.map { "answered \($0)" } ?? "refused the request"
        return """
            \(authority) asked for a client certificate in the TLS handshake, got none, and \(answer), probably for that \
            reason. Choose a certificate for the host: in the console, with --client-certificate \(authority.host)=FILE \
            (PEM or PKCS#12) when Pinhole starts, or in tls.clientCertificates of config.json.
            """
    }
}

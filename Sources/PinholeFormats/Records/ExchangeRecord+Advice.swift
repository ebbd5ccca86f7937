package import PinholeModel

/// The advice for an exchange whose server wants a client certificate.
extension ExchangeRecord {
    /// The event and the remedy in one line; `nil` if nothing needs to be done.
    package var hint: String? {
        guard notes.contains(.clientCertificateMissing) else { return nil }
        return
            "the server asked for a client certificate and got none: --client-certificate \(authority.host)=FILE"
    }

    /// The event, its reason and the remedy; `nil` if nothing needs to be done.
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

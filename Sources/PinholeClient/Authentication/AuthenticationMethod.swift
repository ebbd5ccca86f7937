/// The method by which a peer proves its identity: Apple's `NSURLAuthenticationMethod…`.
package enum AuthenticationMethod: String, Sendable, CaseIterable, Codable {
    /// The server, by its certificate.
    case serverTrust = "NSURLAuthenticationMethodServerTrust"
    /// The client, by a certificate.
    case clientCertificate = "NSURLAuthenticationMethodClientCertificate"
    /// We, by name and password in the clear (RFC 7617).
    case httpBasic = "NSURLAuthenticationMethodHTTPBasic"
    /// We, by a digest of name and password (RFC 7616).
    case httpDigest = "NSURLAuthenticationMethodHTTPDigest"

    /// Whether the method concerns a connection, so that the session's handler is asked first.
    ///
    /// The other ones concern a request and go to the task's handler alone (docs/JUDGE.md#challenges).
    package var isPerConnection: Bool { self == .serverTrust || self == .clientCertificate }

    /// The name without its prefix, for people.
    package var shortName: String { String(rawValue.dropFirst("NSURLAuthenticationMethod".count)) }
}

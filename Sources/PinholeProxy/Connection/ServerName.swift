package import PinholeModel

/// The name that a server's certificate must contain, and the protocols that the server is offered.
package struct ServerName: Sendable, Hashable {
    /// The authority that is dialed, against which rules are matched.
    package var authority: Authority
    /// The name in SNI, or else the host of the authority.
    package var host: Host
    /// The protocols that are offered in ALPN.
    package var applicationProtocols: [String]
}

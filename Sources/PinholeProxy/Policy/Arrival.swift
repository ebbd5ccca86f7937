package import PinholeModel

/// The destination of a connection whose client does not name its server.
package indirect enum Arrival: Sendable, Equatable {
    /// The connection was going to this address before the system redirected it, or it came to a port that is
    /// forwarded to this server.
    case from(Authority)
    /// The connection was made to the listener itself; it was not redirected.
    case direct
    /// The proxy's own connection to this server, which the system has redirected back to the proxy.
    case own(Authority)
}

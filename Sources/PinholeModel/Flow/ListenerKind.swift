/// The way in which a client addressed the proxy.
package enum ListenerKind: String, Sendable, Codable, CaseIterable {
    /// As an HTTP proxy.
    case http
    /// As an HTTP proxy, inside TLS with the proxy itself.
    case https
    /// As a proxy of SOCKS4 or SOCKS4a.
    case socks4
    /// As a proxy of SOCKS5.
    case socks5
    /// As the server for which the listener is a reverse proxy.
    case reverse
    /// As the server; the system redirected the connection to the proxy.
    case transparent
}

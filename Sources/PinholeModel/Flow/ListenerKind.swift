/// How a client came to the proxy.
package enum ListenerKind: String, Sendable, Codable, CaseIterable {
    /// As to a proxy of HTTP.
    case http
    /// As to a proxy of HTTP, inside TLS with the proxy itself.
    case https
    /// As to a proxy of SOCKS4 or 4a.
    case socks4
    /// As to a proxy of SOCKS5.
    case socks5
    /// As to the server that the listener stands before.
    case reverse
    /// As to the server, and the system led it here.
    case transparent
}

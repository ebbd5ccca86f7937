package import PinholeModel

/// The facts of a connection to a server that was just made, or taken from the pool.
package struct DialedServer: Sendable, Equatable {
    /// The server's address.
    package var address: String
    /// The attempts to connect; empty for a connection from the pool.
    package var dials: [DialRecord] = []
    /// The time that the name resolution took; `nil` if there was none.
    package var resolve: Duration?
    /// The time that connecting took; `nil` if it is not known.
    package var connect: Duration?
    /// The proxy on the way; `nil` if there is none.
    package var hop: String?
    /// The facts of the TLS connection, if it comes from the pool; otherwise `nil`.
    package var secured: SecuredServer?
    /// Whether the connection was used before.
    package var isReused = false
    /// Whether many exchanges already wait for this server.
    ///
    /// If so, the connection may lead back to this proxy, and the request gets a Via.
    package var hasManyRequests = false

    /// Creates the facts of a connection.
    package init(address: String) { self.address = address }
}

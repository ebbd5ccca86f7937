package import PinholeModel

/// The destination of a connection to be dialed.
package struct DialTarget: Sendable, Hashable {
    /// The authority of the server.
    package var authority: Authority
    /// The name for TLS, for which a pooled connection may be used; `nil` for a plain connection.
    package var serverName: ServerName?
    /// Whether a pooled connection may be used.
    package var mayReuse: Bool
    /// Whether the name is only a guess from CONNECT.
    ///
    /// If so, a pooled connection for another name of the authority may be used, and the ClientHello shows whether it
    /// fits.
    package var isNameGuessed: Bool
    /// Whether plain HTTP is spoken with the server.
    package var isPlain = false
    /// Whether the request is sent to an HTTP proxy in absolute-form, without CONNECT.
    package var isForwarded = false
    /// The proxy through which the server is reached; `nil` if there is none.
    package var hop: NextHop?
    /// The address that a redirected connection of the client was going to, which is dialed without resolving the
    /// authority; `nil` if the authority is resolved.
    package var address: Authority?
    /// The proxy user of the request, because users never share a connection; `nil` without a login.
    package var user: String?
    /// The value of Via in the CONNECT that an HTTP proxy gets; `nil` if there is none.
    package var via: String?

    /// Creates a target.
    package init(
        authority: Authority,
        serverName: ServerName?,
        mayReuse: Bool,
        isNameGuessed: Bool = false
    ) {
        self.authority = authority
        self.serverName = serverName
        self.mayReuse = mayReuse
        self.isNameGuessed = isNameGuessed
    }
}

extension DialTarget {
    /// The host and port that are resolved and dialed.
    package var place: Authority { address ?? authority }

    /// Returns the target at the original address of a redirected connection, if the target is that connection's
    /// server.
    ///
    /// - Parameters:
    ///   - destination: The original address, or `nil` if the client has named its server.
    ///   - server: The name of the connection's server.
    /// - Returns: The target.
    func placed(at destination: Authority?, _ server: Authority?) -> DialTarget {
        guard let destination, authority == server else { return self }
        var target = self
        target.address = destination
        return target
    }
}

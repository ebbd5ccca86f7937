package import PinholeModel

/// What a listener is to those who connect to it.
package enum ListenerMode: Sendable, Hashable {
    /// A proxy of HTTP, with or without TLS, and of SOCKS: clients say whom they want.
    case explicit
    /// The server itself: requests go to one origin.
    case reverse(ReverseOrigin)
    /// Every server: the system leads connections to it that clients made to servers.
    case transparent(Diversion)
}

/// The server that a listener stands before.
package struct ReverseOrigin: Sendable, Hashable, CustomStringConvertible {
    /// Whether TLS is spoken with it.
    package let scheme: Scheme
    /// Where it is.
    package let authority: Authority
    /// Whether it gets the Host that the client wrote; else its own.
    package let keepsHost: Bool

    /// Parses `https://origin.example:8443`.
    ///
    /// - Parameters:
    ///   - text: The URL, without a path.
    ///   - keepsHost: Whether it gets the Host that the client wrote.
    /// - Throws: ``AddressFailure`` when it is something else.
    package init(_ text: String, keepsHost: Bool = false) throws(AddressFailure) {
        let expected = "http://HOST or https://HOST, with or without a port, and without a path"
        let scheme = text.prefix { $0 != ":" }.lowercased()
        var rest = text.dropFirst(scheme.count)
        guard let scheme = Scheme(rawValue: scheme), rest.hasPrefix("://") else {
            throw AddressFailure(text, expected: expected)
        }
        rest = rest.dropFirst(3)
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        do throws(AddressFailure) {
            authority = try Authority(rest, defaultPort: scheme.defaultPort)
        } catch {
            throw AddressFailure(text, expected: expected)
        }
        self.scheme = scheme
        self.keepsHost = keepsHost
    }

    /// The URL.
    package var description: String {
        "\(scheme.rawValue)://\(authority.text(defaultPort: scheme.defaultPort))"
    }

    /// What it is called in Host and `:authority`.
    var hostText: String { authority.text(defaultPort: scheme.defaultPort) }

    /// How it is reached.
    ///
    /// - Parameters:
    ///   - protocols: What is offered in ALPN.
    ///   - mayReuse: Whether a connection that was used before will do.
    /// - Returns: The target.
    func target(_ protocols: [String], mayReuse: Bool) -> DialTarget {
        let name = ServerName(authority: authority, host: authority.host, applicationProtocols: protocols)
        return DialTarget(
            authority: authority,
            serverName: scheme == .https ? name : nil,
            mayReuse: mayReuse
        )
    }
}

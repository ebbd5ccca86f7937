package import PinholeModel

/// What a listener is to those who connect to it.
package enum ListenerMode: Sendable, Hashable {
    /// A proxy of HTTP, with or without TLS, and of SOCKS: clients say whom they want.
    case explicit
    /// The server itself: requests go to one origin.
    case reverse(ReverseOrigin)
    /// A port of the server's: whatever is spoken goes there, as in a tunnel.
    case forwarding(Authority)
    /// Every server: the system leads connections to it that clients made to servers.
    case transparent(Diversion)

    /// The server that it stands before; `nil` where it stands before none, or before every one.
    var origin: ReverseOrigin? {
        if case .reverse(let origin) = self { origin } else { nil }
    }

    /// Whose port it is; `nil` where it is none of one server.
    var forwarded: Authority? {
        if case .forwarding(let authority) = self { authority } else { nil }
    }

    /// The one server that clients find there, as it is written: `https://origin.example`, `tcp://mail.example:143`;
    /// `nil` where there is none.
    package var server: String? {
        switch self {
        case .reverse(let origin): origin.description
        case .forwarding(let authority): "\(Self.wordOfPorts)\(authority)"
        case .explicit, .transparent: nil
        }
    }

    private static let wordOfPorts = "tcp://"

    /// Parses one server: the URL of an origin, or `tcp://mail.example:143` for a port.
    ///
    /// - Parameters:
    ///   - server: The server, without a path.
    ///   - keepsHost: Whether an origin gets the Host that the client wrote.
    /// - Throws: ``AddressFailure`` when it is something else.
    package init(before server: String, keepsHost: Bool) throws(AddressFailure) {
        guard !keepsHost, server.lowercased().hasPrefix(Self.wordOfPorts) else {
            self = .reverse(try ReverseOrigin(server, keepsHost: keepsHost))
            return
        }
        do throws(AddressFailure) {
            self = .forwarding(try Authority(server.dropFirst(Self.wordOfPorts.count)))
        } catch {
            throw AddressFailure(server, expected: "tcp://HOST:PORT, without a path")
        }
    }
}

/// The server that a listener stands before.
package struct ReverseOrigin: Sendable, Hashable, CustomStringConvertible {
    /// Whether TLS is spoken with it.
    package let scheme: Scheme
    /// Whether HTTP/2 is spoken with it, without TLS and without asking (RFC 9113 §3.3).
    package let speaksHTTP2: Bool
    /// Where it is.
    package let authority: Authority
    /// Whether it gets the Host that the client wrote; else its own.
    package let keepsHost: Bool

    /// Parses `https://origin.example:8443`, or `h2c://` for HTTP/2 without TLS.
    ///
    /// - Parameters:
    ///   - text: The URL, without a path.
    ///   - keepsHost: Whether it gets the Host that the client wrote.
    /// - Throws: ``AddressFailure`` when it is something else.
    package init(_ text: String, keepsHost: Bool = false) throws(AddressFailure) {
        let expected =
            "http://HOST, https://HOST or h2c://HOST, with or without a port, and without a path"
            + (keepsHost ? "" : "; or tcp://HOST:PORT")
        let word = text.prefix { $0 != ":" }.lowercased()
        var rest = text.dropFirst(word.count)
        speaksHTTP2 = word == Self.wordOfHTTP2
        guard let scheme = speaksHTTP2 ? .http : Scheme(rawValue: word), rest.hasPrefix("://") else {
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

    /// How HTTP/2 without TLS is written, as other proxies write it.
    private static let wordOfHTTP2 = "h2c"

    /// The URL.
    package var description: String {
        "\(speaksHTTP2 ? Self.wordOfHTTP2 : scheme.rawValue)://\(hostText)"
    }

    /// What it is called in Host and `:authority`.
    var hostText: String { authority.text(defaultPort: scheme.defaultPort) }

    /// Whether a request is sent to the next proxy in absolute-form, which speaks HTTP/1.1.
    ///
    /// - Parameters:
    ///   - isUpgrade: Whether the request asks for another protocol.
    ///   - hops: Who is on the way.
    /// - Returns: Whether it is.
    func isForwarded(isUpgrade: Bool, by hops: NextHops) -> Bool {
        scheme == .http && !speaksHTTP2 && !isUpgrade && hops.forwards(authority)
    }

    /// How it is reached.
    ///
    /// - Parameters:
    ///   - protocols: What is offered in ALPN.
    ///   - mayReuse: Whether a connection that was used before will do.
    /// - Returns: The target.
    func target(_ protocols: [String], mayReuse: Bool) -> DialTarget {
        let name = ServerName(authority: authority, host: authority.host, applicationProtocols: protocols)
        var target = DialTarget(
            authority: authority,
            serverName: scheme == .https ? name : nil,
            mayReuse: mayReuse
        )
        target.isPlain = scheme == .http
        return target
    }
}

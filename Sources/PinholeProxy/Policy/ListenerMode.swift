package import PinholeModel

/// The role of a listener for its clients.
package enum ListenerMode: Sendable, Hashable {
    /// A proxy for HTTP, with or without TLS, and for SOCKS: clients name their servers.
    case explicit
    /// The server itself: all requests go to one origin.
    case reverse(ReverseOrigin)
    /// A port of a server: all bytes go to that port, as in a tunnel.
    case forwarding(Authority)
    /// Any server: the system redirects connections to the listener that clients made to servers.
    case transparent(TransparentRedirection)

    /// The origin that the listener stands before; `nil` in any other mode.
    var origin: ReverseOrigin? {
        if case .reverse(let origin) = self { origin } else { nil }
    }

    /// The server whose port the listener forwards; `nil` in any other mode.
    var forwarded: Authority? {
        if case .forwarding(let authority) = self { authority } else { nil }
    }

    /// Whether clients name their servers, and can log in.
    package var isProxy: Bool { self == .explicit }

    /// Whether the system redirects connections to the listener.
    package var isTransparent: Bool {
        if case .transparent = self { true } else { false }
    }

    /// The listener kind to record for clients that speak neither TLS to the proxy nor SOCKS.
    package var kind: ListenerKind {
        switch self {
        case .explicit: .http
        case .reverse, .forwarding: .reverse
        case .transparent: .transparent
        }
    }

    /// The one server behind the listener in its written form, such as `https://origin.example` or
    /// `tcp://mail.example:143`; `nil` if there is no such server.
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
    ///   - keepsHost: Whether an origin gets the Host field that the client wrote.
    /// - Throws: ``AddressFailure`` if the text is neither of them.
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

/// The notation of `proxy.listen`, in which a mode and `@` stand before the address.
extension ListenerMode {
    /// The modes for users: a phrase, and the texts of the mode.
    package static let forms: [(purpose: String, texts: [String])] = [
        ("before a server", ["reverse:https://HOST"]),
        ("as a port of it", ["\(beforeServer)\(wordOfPorts)HOST:PORT"]),
        ("for redirected connections", TransparentRedirection.allCases.map(\.rawValue)),
    ]

    private static let beforeServer = "reverse:"
    private static let beforeServerWithHost = "reverse-keep-host:"

    /// The mode as text, such as `reverse:https://origin.example`; `nil` if only the address is written.
    package var text: String? {
        switch self {
        case .explicit: nil
        case .transparent(let diversion): diversion.rawValue
        case .reverse(let origin) where origin.keepsHost: "\(Self.beforeServerWithHost)\(origin)"
        case .reverse, .forwarding: server.map { "\(Self.beforeServer)\($0)" }
        }
    }

    /// Parses the text of a mode; returns `nil` if it does not begin with the word of a mode.
    ///
    /// - Throws: ``AddressFailure`` if the address of the server is not valid.
    package init?(_ text: String) throws(AddressFailure) {
        if let diversion = TransparentRedirection(rawValue: text) {
            self = .transparent(diversion)
        } else if text.hasPrefix(Self.beforeServer) {
            try self.init(before: String(text.dropFirst(Self.beforeServer.count)), keepsHost: false)
        } else if text.hasPrefix(Self.beforeServerWithHost) {
            try self.init(before: String(text.dropFirst(Self.beforeServerWithHost.count)), keepsHost: true)
        } else {
            return nil
        }
    }

    /// A phrase about the purpose of a listener that is not a proxy: `, before https://origin.example`.
    package var purpose: String {
        switch self {
        case .explicit: ""
        case .reverse, .forwarding: server.map { ", before \($0)" } ?? ""
        case .transparent(.redirect): ", for connections that are redirected"
        case .transparent(.tproxy): ", for connections that come by TPROXY"
        }
    }
}

/// The server that a listener stands before.
package struct ReverseOrigin: Sendable, Hashable, CustomStringConvertible {
    /// The scheme: HTTPS if TLS is spoken with the server.
    package let scheme: Scheme
    /// Whether HTTP/2 is spoken with the server, without TLS and with prior knowledge (RFC 9113 §3.3).
    package let speaksHTTP2: Bool
    /// The host and port of the server.
    package let authority: Authority
    /// Whether the server gets the Host field that the client wrote, and not one with its own name.
    package let keepsHost: Bool

    /// Parses `https://origin.example:8443`, or `h2c://` for HTTP/2 without TLS.
    ///
    /// - Parameters:
    ///   - text: The URL, without a path.
    ///   - keepsHost: Whether the server gets the Host field that the client wrote.
    /// - Throws: ``AddressFailure`` if the text is not such a URL.
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

    /// The URL scheme for HTTP/2 without TLS, as other proxies write it.
    private static let wordOfHTTP2 = "h2c"

    /// The URL of the server.
    package var description: String {
        "\(speaksHTTP2 ? Self.wordOfHTTP2 : scheme.rawValue)://\(hostText)"
    }

    /// The server's name in Host and `:authority`.
    var hostText: String { authority.text(defaultPort: scheme.defaultPort) }

    /// Whether a request is sent to the next proxy in absolute-form, in HTTP/1.1.
    ///
    /// - Parameters:
    ///   - isUpgrade: Whether the request asks for another protocol.
    ///   - hops: The rules for proxies on the way.
    /// - Returns: Whether the request is sent like this.
    func isForwarded(isUpgrade: Bool, by hops: NextHops) -> Bool {
        scheme == .http && !speaksHTTP2 && !isUpgrade && hops.forwards(authority)
    }

    /// Returns the target for a connection to the server.
    ///
    /// - Parameters:
    ///   - protocols: The protocols to offer in ALPN.
    ///   - mayReuse: Whether a connection that was used before may be taken.
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

package import PinholeModel

/// The rules for reaching servers through another proxy or directly.
package struct NextHops: Sendable, Equatable {
    /// A rule for servers that are reached directly.
    package enum Bypass: Sendable, Hashable, CustomStringConvertible {
        /// Hosts whose name or address in the request matches the pattern.
        case pattern(HostPattern)
        /// A network; it matches only if the request contains an address.
        case network(AddressRange)

        /// Parses a host pattern (`*.corp.example`, `localhost`, `*:8443`) or a network (`10.0.0.0/8`).
        ///
        /// - Throws: ``AddressFailure`` if the text is neither of them.
        package init(_ text: String) throws(AddressFailure) {
            if text.contains("/") {
                self = .network(try AddressRange(text))
            } else {
                self = .pattern(try HostPattern(text))
            }
        }

        /// The rule in its written form.
        package var description: String {
            switch self {
            case .pattern(let pattern): pattern.description
            case .network(let network): network.description
            }
        }

        /// Whether the rule matches `authority`.
        package func matches(_ authority: Authority) -> Bool {
            switch self {
            case .pattern(let pattern): pattern.matches(authority)
            case .network(let network): authority.host.address.map(network.contains) ?? false
            }
        }
    }

    /// The proxy for everything but plain HTTP; `nil` if there is none.
    package var proxy: NextHop?
    /// The proxy for plain HTTP; `nil` if there is none.
    package var plainProxy: NextHop?
    /// The servers that are reached directly.
    package var bypass: [Bypass]

    /// Creates rules with one proxy for everything.
    package init(proxy: NextHop? = nil, bypass: [Bypass] = []) {
        self.init(proxy: proxy, plainProxy: proxy, bypass: bypass)
    }

    /// Creates rules.
    ///
    /// - Parameters:
    ///   - proxy: The proxy for everything but plain HTTP.
    ///   - plainProxy: The proxy for plain HTTP.
    ///   - bypass: The servers that are reached directly.
    package init(proxy: NextHop?, plainProxy: NextHop?, bypass: [Bypass]) {
        self.proxy = proxy
        self.plainProxy = plainProxy
        self.bypass = bypass
    }

    /// Returns the proxy through which `authority` is reached.
    ///
    /// - Parameters:
    ///   - authority: The server to reach.
    ///   - isPlain: Whether plain HTTP is spoken with it. For a tunnel, only port 80 indicates that.
    /// - Returns: The proxy, or `nil` if the server is reached directly.
    package func hop(for authority: Authority, isPlain: Bool = false) -> NextHop? {
        let isPlain = isPlain || authority.port == Scheme.http.defaultPort
        guard let hop = isPlain ? plainProxy : proxy, !bypass.contains(where: { $0.matches(authority) })
        else { return nil }
        return hop
    }

    /// Returns the target with the proxy on the way to it, and with the entry of `pseudonym` for Via.
    func way(to target: DialTarget, from pseudonym: Pseudonym) -> DialTarget {
        var target = target
        target.hop = hop(for: target.place, isPlain: target.isPlain)
        if target.hop != nil, target.via == nil { target.via = pseudonym.entry }
        return target
    }

    /// Whether a plain HTTP request for `authority` is sent to a proxy in absolute-form.
    func forwards(_ authority: Authority) -> Bool {
        guard let hop = hop(for: authority, isPlain: true) else { return false }
        return hop.kind != .socks5
    }
}

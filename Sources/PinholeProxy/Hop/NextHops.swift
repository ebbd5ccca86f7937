package import PinholeModel

/// Which servers are reached through another proxy, and which directly.
package struct NextHops: Sendable, Equatable {
    /// What is reached directly.
    package enum Bypass: Sendable, Hashable, CustomStringConvertible {
        /// Hosts by their name or address as it was asked for.
        case pattern(HostPattern)
        /// Addresses, where an address was asked for.
        case network(AddressRange)

        /// Parses a host pattern (`*.corp.example`, `localhost`, `*:8443`) or a network (`10.0.0.0/8`).
        ///
        /// - Parameter text: The pattern or network.
        /// - Throws: ``AddressFailure`` when it is neither.
        package init(_ text: String) throws(AddressFailure) {
            if text.contains("/") {
                self = .network(try AddressRange(text))
            } else {
                self = .pattern(try HostPattern(text))
            }
        }

        /// The entry as it is written.
        package var description: String {
            switch self {
            case .pattern(let pattern): pattern.description
            case .network(let network): network.description
            }
        }

        /// Whether `authority` is meant.
        package func matches(_ authority: Authority) -> Bool {
            switch self {
            case .pattern(let pattern): pattern.matches(authority)
            case .network(let network): authority.host.address.map(network.contains) ?? false
            }
        }
    }

    /// The proxy; `nil` for none.
    package var proxy: NextHop?
    /// The proxy for plain http; `nil` for none.
    package var plainProxy: NextHop?
    /// What is reached without them.
    package var bypass: [Bypass]

    /// Creates rules with one proxy for everything.
    package init(proxy: NextHop? = nil, bypass: [Bypass] = []) {
        self.init(proxy: proxy, plainProxy: proxy, bypass: bypass)
    }

    /// Creates rules.
    ///
    /// - Parameters:
    ///   - proxy: The proxy for all but plain http.
    ///   - plainProxy: The proxy for plain http.
    ///   - bypass: What is reached without them.
    package init(proxy: NextHop?, plainProxy: NextHop?, bypass: [Bypass]) {
        self.proxy = proxy
        self.plainProxy = plainProxy
        self.bypass = bypass
    }

    /// Whether everything is reached directly.
    var isEmpty: Bool { proxy == nil && plainProxy == nil }

    /// The proxy through which `authority` is reached; `nil` where it is reached directly.
    ///
    /// - Parameters:
    ///   - authority: Whom to reach.
    ///   - isPlain: Whether plain http is spoken there; of a tunnel only the port tells.
    /// - Returns: The proxy.
    package func hop(for authority: Authority, isPlain: Bool = false) -> NextHop? {
        let isPlain = isPlain || authority.port == Scheme.http.defaultPort
        guard let hop = isPlain ? plainProxy : proxy, !bypass.contains(where: { $0.matches(authority) })
        else { return nil }
        return hop
    }

    /// The way to `target`, for a proxy that calls itself `pseudonym`.
    func way(to target: DialTarget, from pseudonym: Pseudonym) -> DialTarget {
        var target = target
        target.hop = hop(for: target.place, isPlain: target.isPlain)
        if target.hop != nil, target.via == nil { target.via = pseudonym.entry }
        return target
    }

    /// Whether a request for plain http to `authority` is sent to the proxy itself, in absolute-form.
    func forwards(_ authority: Authority) -> Bool {
        guard let hop = hop(for: authority, isPlain: true) else { return false }
        return hop.kind != .socks5
    }
}

/// A way in which the system redirects connections to a transparent listener.
package enum TransparentRedirection: String, Sendable, Hashable, CaseIterable {
    /// The system rewrites the destination (`redirect` of nft, REDIRECT of iptables), and remembers the original one.
    case redirect = "transparent"
    /// The system passes connections on unchanged (TPROXY): their local address is the original destination.
    case tproxy
}

/// How the system leads connections to a transparent listener.
package enum Diversion: String, Sendable, Hashable, CaseIterable {
    /// By rewriting where they go (`redirect` of nft, REDIRECT of iptables); the system knows where that was.
    case redirect = "transparent"
    /// By handing them over as they are (TPROXY): the local address of the connection is where it was going.
    case tproxy
}

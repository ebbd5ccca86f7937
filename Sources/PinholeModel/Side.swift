/// The peer on one end of a tunnel: the client that dialed the proxy, or the server that the proxy dials.
public enum Side: String, Hashable, Sendable, Codable, CaseIterable {
    /// The program that uses the proxy.
    case client
    /// The server that the client wants to reach.
    case server

    /// The other side.
    public var opposite: Side { self == .client ? .server : .client }
}

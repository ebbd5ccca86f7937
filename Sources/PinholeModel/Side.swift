/// Who is on the other end: the one that dialed us, or the one that we dial.
package enum Side: String, Hashable, Sendable, Codable {
    /// The program that uses the proxy.
    case client
    /// The server that the client wants to reach.
    case server

    /// The side across.
    package var opposite: Side { self == .client ? .server : .client }
}

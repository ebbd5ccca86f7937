import PinholeModel

/// The first SETTINGS that a client of HTTP/2 gets from a listener before one server.
///
/// A client opens a WebSocket in a stream only if SETTINGS_ENABLE_CONNECT_PROTOCOL allows it (RFC 8441 §3). Some
/// clients, such as those of Go, look for it in the first SETTINGS alone. The listener may announce it only if its
/// server does. So the proxy connects to the server first, and the client's bytes wait for the server's SETTINGS.
///
/// The proxy does not remember what the server announced to an earlier connection: that would be wrong for the first
/// client, and after each change of the server. The connection is not wasted, because the client's first request is
/// sent on it.
extension Conversation {
    /// The longest time for which the client's bytes wait for the settings of its server.
    ///
    /// A server that cannot be reached must not hold up requests that rules answer.
    static let settingsPatience = Duration.seconds(2)

    /// Connects to the server of the listener, and lets the client's bytes wait, if the server may speak HTTP/2.
    mutating func askForSettings() {
        guard clientIsMultiplexed, let origin = mode.origin, origin.speaksHTTP2 || origin.scheme == .https,
            !policy.isOffline, policy.access.admits(clientAddress)
        else { return }
        isClientHeld = true
        commands += [.holdClient, .driver(.arm(.handshake(.server), Self.settingsPatience))]
        dial(origin.target(offeredProtocols, mayReuse: false), for: 1)
    }

    /// Reads the client's bytes, because the settings of its server are known, or will not be known soon.
    mutating func releaseClient() {
        guard isClientHeld else { return }
        isClientHeld = false
        commands += [.releaseClient, .driver(.arm(.idle, policy.limits.idleTimeout))]
    }
}

package import PinholeModel
package import PinholeWire

/// The facts that the opening of a connection learned, from which its conversation is created.
package struct OpeningResult: Sendable {
    /// The policy that decisions depend on.
    package var policy: Shared<ProxyPolicy>
    /// The record of the flow, with both handshakes.
    package var flow: FlowRecord
    /// The client's address.
    package var clientAddress: IPAddress
    /// The role of the listener for the client.
    package var mode = ListenerMode.explicit
    /// Whether the client speaks HTTP/2.
    package var clientSpeaksHTTP2: Bool
    /// Whether HTTP/2 is offered to the server for a client of HTTP/1, because the server may speak nothing else.
    package var expectsHTTP2 = false
    /// The authority that CONNECT asked for; `nil` if HTTP/2 is spoken to the proxy itself, where requests name their
    /// servers.
    package var authority: Authority?
    /// The address that the client's connection was going to before it was redirected; `nil` if the authority is to be
    /// resolved.
    package var destination: Authority?
    /// The name that the server's certificate must contain; `nil` without TLS.
    package var serverName: ServerName?
    /// The facts of the TLS connection to the server; `nil` without TLS.
    package var secured: SecuredServer?
    /// The facts of how the connection to the server was made, or taken from the pool.
    package var opening: DialedServer?
    /// Whether the connection to the server can take requests.
    package var hasServer: Bool
    /// The time at which the handshake with the client ended; `nil` without TLS.
    package var handshakeEnded: Timestamp?
    /// The fault of the server's certificate that was shown to the client; `nil` if there is none.
    var mirrored: MirroredFault?
    /// The key under which the behaviour of the client is remembered.
    package var clientKey = ""
    /// The request of HTTP/1 with which the conversation begins, without its body; `nil` for a client of HTTP/2.
    package var request: RequestHead?

    /// The scheme of requests that do not name one.
    var scheme: Scheme { flow.treatment == .intercepted ? .https : .http }
}

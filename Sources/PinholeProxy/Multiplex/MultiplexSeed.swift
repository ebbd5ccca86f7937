package import PinholeModel

/// What a tunnel knows when its messages are handed over to be multiplexed.
package struct MultiplexSeed: Sendable {
    /// What decisions depend on.
    package var policy: Shared<ProxyPolicy>
    /// The record, with both handshakes.
    package var flow: FlowRecord
    /// The client's address.
    package var clientAddress: IPAddress
    /// What the listener is to the client.
    package var mode = ListenerMode.explicit
    /// Whether the client speaks HTTP/2; else it speaks HTTP/1.1 and the server HTTP/2.
    package var clientSpeaksHTTP2: Bool
    /// What CONNECT asked for; `nil` where HTTP/2 is spoken to the proxy itself, and requests name their servers.
    package var authority: Authority?
    /// The address of that, where the client's connection was going to one; `nil` where it is looked up.
    package var destination: Authority?
    /// Whom the server's certificate names; `nil` without TLS.
    package var serverName: ServerName?
    /// What is known of the server's connection.
    package var secured: SecuredServer?
    /// How that connection was come by.
    package var opening: DialedServer?
    /// Whether it can take requests.
    package var hasServer: Bool
    /// When the handshake with the client ended.
    package var handshakeEnded: Timestamp?
    /// The fault of the server that the client was shown; `nil` for none.
    var mirrored: MirroredFault?
    /// How the client is remembered among others.
    package var clientKey = ""
    /// A request of HTTP/1 with which it begins; `nil` where none was read yet.
    package var request: HandedRequest?
}

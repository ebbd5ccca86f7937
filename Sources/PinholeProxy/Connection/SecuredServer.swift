package import PinholeModel

/// The facts of a TLS connection to a server.
package struct SecuredServer: Sendable, Equatable {
    /// The record of the handshake.
    package var handshake: HandshakeRecord
    /// The server's chain with its verdict.
    package var chain: JudgedChain
    /// The protocols that were offered in ALPN.
    ///
    /// A server that agreed to HTTP/1.1 may not have been offered HTTP/2.
    package var offered: [String] = []

    /// Returns the host that the certificate must name: the name in SNI, or else the host of the dialed `authority`.
    package func host(at authority: Authority) -> Host {
        handshake.serverName.flatMap { try? Host($0) } ?? authority.host
    }
}

/// The transport between a client and the proxy itself, if that is not plain HTTP/1.1 on its own connection.
///
/// This TLS ends at the proxy; the TLS of an intercepted tunnel is inside it.
package struct InboundTransport: Sendable, Equatable, Codable {
    /// The version of TLS to the proxy (`TLSv1.3`); `nil` without TLS.
    package var version: String?
    /// The cipher suite by its standard name; `nil` without TLS.
    package var cipher: String?
    /// The application protocol: `http/1.1` or `h2`.
    package var applicationProtocol: String
    /// The flow of the connection that carries the stream; `nil` for the connection itself.
    package var connection: FlowID?
    /// The stream of HTTP/2 (RFC 9113 §8.5) that carries the tunnel; `nil` for the connection itself.
    package var stream: Int32?

    /// Creates a description.
    ///
    /// - Parameters:
    ///   - handshake: The handshake with the proxy; `nil` without TLS.
    ///   - applicationProtocol: `http/1.1` or `h2`.
    package init(handshake: HandshakeRecord?, applicationProtocol: String) {
        version = handshake?.version
        cipher = handshake?.cipher
        self.applicationProtocol = applicationProtocol
    }
}

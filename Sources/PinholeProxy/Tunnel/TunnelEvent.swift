package import PinholeModel
package import PinholeWire

/// An event while a connection is opened, or of a relay.
package enum TunnelEvent: Sendable, Equatable {
    /// The connection was redirected here by the system, or came to a forwarded port.
    case redirected
    /// The first bytes of a request head arrived from the client.
    case requestBegan
    /// A request head arrived from the client.
    case request(RequestHead)
    /// The last byte of the request was read.
    case requestEnded
    /// The program that made the connection was identified.
    indirect case identified(ClientProcess)
    /// The client's bytes are not valid HTTP.
    indirect case requestFailed(HTTP1Failure)
    /// The client's first byte on a new connection is a version of SOCKS.
    case clientSpeaksSOCKS(SOCKSVersion)
    /// The client sent a message of SOCKS.
    indirect case socks(SOCKSAcceptor.Event)
    /// The client's bytes are not valid SOCKS, or ask for something that is not supported; the client was already
    /// answered.
    indirect case socksFailed(SOCKSFailure)
    /// The client's login was verified.
    case authenticated(LoginVerdict)
    /// The client's first bytes after CONNECT are the beginning of a ClientHello, whose rest must follow in time.
    case clientHelloBegan
    /// The client's first bytes, after CONNECT or on a new connection, are a complete ClientHello.
    indirect case clientHello(ClientHelloRecord)
    /// The client's first bytes after CONNECT begin like TLS but are no ClientHello; the text says why.
    case clientHelloIsMalformed(String)
    /// The client's first bytes after CONNECT are neither TLS nor HTTP.
    case clientIsNotTLS
    /// The client's first bytes, after CONNECT or on a new connection, are the preface of HTTP/2 (RFC 9113 §3.4),
    /// without TLS.
    case clientSpeaksHTTP2
    /// The client's first bytes after CONNECT are the first line of a request of HTTP/1.
    case clientSpeaksHTTP1
    /// The handshake with the client ended.
    indirect case clientHandshake(HandshakeRecord)
    /// The server sent something before the client did.
    case serverSpokeFirst
    /// The handshake with the server ended.
    indirect case serverHandshake(HandshakeRecord, JudgedChain)
    /// A connection to the server was made.
    indirect case dialed(DialedServer)
    /// No connection to the server could be made.
    indirect case dialFailed(DialFailure, [DialRecord])
    /// The leaf was made.
    case minted
    /// No leaf could be made; the text says why.
    case mintFailed(String)
    /// A side has ended its stream.
    case closed(Side, CloseKind)
    /// A deadline passed.
    case expired(Deadline)
    /// The user who watches the proxy ends the connection.
    case endedByUser
    /// The proxy is about to stop: open work is finished, new requests are not accepted.
    case drain
    /// The settings of the host have changed: the next connection uses the new settings.
    case retire
    /// The connection is about to end for the sake of others; the text is the reason for its record.
    case displaced(String)
    /// The proxy stops now.
    case stop
}

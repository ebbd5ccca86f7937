package import PinholeModel
package import PinholeWire

/// What happened to a tunnel.
///
/// Each exchange brings four, so what is large and rare is boxed.
package enum TunnelEvent: Sendable, Equatable {
    /// The connection is one that the system led here.
    case redirected
    /// The first bytes of a request head came from the client.
    case requestBegan
    /// A request head came from the client.
    case request(RequestHead)
    /// The last byte of the request passed.
    case requestEnded
    /// The client's bytes are no HTTP.
    indirect case requestFailed(HTTP1Failure)
    /// The client's first byte on a new connection is a version of SOCKS.
    case clientSpeaksSOCKS(SOCKSVersion)
    /// The client said something in SOCKS.
    indirect case socks(SOCKSAcceptor.Event)
    /// The client's bytes are no SOCKS, or ask for what is not served; it has its answer.
    indirect case socksFailed(SOCKSFailure)
    /// The client's login was verified.
    case authenticated(LoginVerdict)
    /// The client's first bytes after CONNECT are the beginning of a ClientHello: the rest has to follow.
    case clientHelloBegan
    /// The client's first bytes, after CONNECT or on a new connection, are a ClientHello.
    indirect case clientHello(ClientHelloRecord)
    /// The client's first bytes after CONNECT are no TLS.
    case clientIsNotTLS
    /// The client's first bytes, after CONNECT or on a new connection, are the preface of HTTP/2 (RFC 9113
    /// §3.4), without TLS.
    case clientSpeaksHTTP2
    /// The client's first bytes after CONNECT are the first line of a request of HTTP/1.
    case clientSpeaksHTTP1
    /// The handshake with the client ended.
    indirect case clientHandshake(HandshakeRecord)
    /// The server sent something before the client did.
    case serverSpokeFirst
    /// The handshake with the server ended.
    indirect case serverHandshake(HandshakeRecord, JudgedChain)
    /// A response head came from the server.
    case response(ResponseHead)
    /// The last byte of the response passed.
    case responseEnded
    /// The server's bytes are no HTTP.
    indirect case responseFailed(HTTP1Failure)
    /// A connection to the server stands.
    indirect case dialed(DialedServer)
    /// No connection to the server could be made.
    indirect case dialFailed(DialFailure, [DialRecord])
    /// The leaf is there.
    case minted
    /// There is no leaf; the text says why.
    case mintFailed(String)
    /// What was asked under a number is decided.
    case decided(Int, Decision)
    /// The request that is held is all there, or will not be.
    case requestHeld(HeldEnd)
    /// The response that is held is all there, or will not be.
    case responseHeld(HeldEnd)
    /// A side sends nothing more.
    case closed(Side, CloseKind)
    /// A deadline passed.
    case expired(Deadline)
    /// The server has answered, and takes nothing of the rest of the request.
    case requestStalled
    /// The last byte of an answer whose content is read as it is sent was handed to the client's connection.
    case answerSent
    /// The content of such an answer is gone, for example because its file was deleted.
    case answerFailed
    /// Somebody who watches the proxy wants the exchange, or the relay, to end.
    case endedByUser
    /// The proxy is about to stop: finish what is going on, begin nothing.
    case drain
    /// The settings of the host have changed: finish the open exchange; the next connection follows them.
    case retire
    /// The proxy stops now.
    case stop
}

/// How a side's stream ended.
package enum CloseKind: Sendable, Equatable {
    /// TLS said so (close_notify), or the stream ended where TLS is not spoken.
    case orderly
    /// The stream ended without close_notify.
    case truncated
    /// A client that is a stream of HTTP/2 gave it up: it sends nothing more, and takes nothing more.
    case cancelled
    /// The connection was reset or broken; the text says how.
    case reset(String)
    /// A fatal alert came.
    case alert(Alert)
}

extension CloseKind {
    /// What it says of a server that owes a response.
    var brokenPromise: String {
        switch self {
        case .orderly, .truncated, .cancelled: "the server closed the connection without a complete response"
        case .reset(let reason): "the connection to the server broke: \(reason)"
        case .alert(let alert): "the server ended the connection with the alert \(alert)"
        }
    }

    /// What it says of a client that is owed a response.
    var words: String {
        switch self {
        case .orderly, .truncated: "it closed the connection"
        case .cancelled: "it cancelled the stream"
        case .reset(let reason): reason
        case .alert(let alert): "it ended with the alert \(alert)"
        }
    }

    /// Whether the peer only said that it sends nothing more; it may still read.
    var isOrderly: Bool {
        switch self {
        case .orderly, .truncated: true
        case .cancelled, .reset, .alert: false
        }
    }

    /// Whether what was not read yet does not matter any more.
    var isBreak: Bool {
        switch self {
        case .cancelled, .reset: true
        case .orderly, .truncated, .alert: false
        }
    }
}

/// What a tunnel waits for at most so long.
package enum Deadline: Sendable, Equatable {
    /// A complete request head.
    case head
    /// A handshake with this side.
    case handshake(Side)
    /// Anything at all.
    case idle
    /// The client's next request, for which the connection to the server is kept.
    case rest
}

/// A connection to a server, just made or taken from the pool.
package struct DialedServer: Sendable, Equatable {
    /// The server's address.
    package var address: String
    /// The attempts; empty for one from the pool.
    package var dials: [DialRecord] = []
    /// The time for name resolution.
    package var resolve: Duration?
    /// The time for connecting.
    package var connect: Duration?
    /// The proxy that it leads through; `nil` for none.
    package var hop: String?
    /// What is known of the TLS connection, for one from the pool.
    package var secured: SecuredServer?
    /// Whether it was used before.
    package var isReused = false
    /// Whether so many wait for answers of this server that it may be this proxy, by a detour: the request is marked.
    package var isCrowded = false

    /// Creates the facts of a connection.
    package init(address: String) { self.address = address }
}

/// What is known of a TLS connection to a server.
package struct SecuredServer: Sendable, Equatable {
    /// Its handshake.
    package var handshake: HandshakeRecord
    /// Its chain.
    package var chain: JudgedChain
    /// What it was offered in ALPN: one that agreed to HTTP/1.1 may not have been asked for HTTP/2.
    package var offered: [String]

    /// Creates the facts.
    package init(handshake: HandshakeRecord, chain: JudgedChain, offered: [String] = []) {
        self.handshake = handshake
        self.chain = chain
        self.offered = offered
    }

    /// The host that the certificate had to name: the one in SNI, else that of the `authority` that was dialed.
    package func host(at authority: Authority) -> Host {
        handshake.serverName.flatMap { try? Host($0) } ?? authority.host
    }
}

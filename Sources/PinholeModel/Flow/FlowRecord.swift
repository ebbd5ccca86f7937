/// The record of one tunnel: peers, both handshakes, exchanges, outcome.
package struct FlowRecord: Sendable, Equatable, Codable {
    /// The number of the flow.
    package var id: FlowID
    /// When the client connected.
    package var opened: Timestamp
    /// When the tunnel was closed; `nil` while it is open.
    package var closed: Timestamp?
    /// The client's address, `host:port`.
    package var client: String
    /// The program that made the connection, where it runs on this machine and was found out.
    package var clientProcess: ClientProcess?
    /// The user who logged in to the proxy, and whose password was right; of several on one connection the last.
    package var proxyUser: String?
    /// The address that the client connected to, `host:port`.
    package var listener: String
    /// How the client came to the proxy; `nil` in captures of earlier versions.
    package var listenerKind: ListenerKind?
    /// What the client speaks with the proxy itself; `nil` for plain HTTP/1.1, and for no HTTP.
    package var inbound: InboundTransport?
    /// What the client asked for, `host:port`; `nil` until it asked.
    package var authority: String?
    /// What was done with the tunnel; `nil` until it was decided.
    package var treatment: Treatment?
    /// Why: the rule that decided, in a sentence.
    package var reason: String?
    /// The server's address that was connected to, `host:port`.
    package var server: String?
    /// The proxy that the server was reached through, without its password; `nil` for none.
    package var nextHop: String?
    /// The attempts to connect, in order.
    package var dials: [DialRecord] = []
    /// What the client offered in its ClientHello.
    package var clientHello: ClientHelloRecord?
    /// The handshake with the client.
    package var clientHandshake: HandshakeRecord?
    /// The handshake with the server.
    package var serverHandshake: HandshakeRecord?
    /// How the client ended its TLS connection once the handshake was finished; `nil` where it did not.
    package var clientEnd: ClientEnd?
    /// Bytes that the client sent, encryption included.
    package var bytesFromClient: Int64 = 0
    /// Bytes that the server sent, encryption included.
    package var bytesFromServer: Int64 = 0
    /// The number of exchanges.
    package var exchanges: Int = 0
    /// How it ended; `nil` while it goes on.
    package var outcome: Outcome?

    /// Creates the record of a flow that has just been opened.
    package init(id: FlowID, opened: Timestamp, client: String, listener: String) {
        self.id = id
        self.opened = opened
        self.client = client
        self.listener = listener
    }
}

extension FlowRecord {
    /// Whether something went wrong: one of its handshakes failed, or it ended by an error.
    package var isFailed: Bool {
        if clientHandshake?.failure != nil || serverHandshake?.failure != nil { return true }
        guard let outcome else { return false }
        return ![.completed, .spare, .stopped].contains(outcome.kind)
    }
}

/// What is done with a tunnel.
package enum Treatment: String, Sendable, Codable, CaseIterable {
    /// TLS is terminated on both sides; messages are read.
    case intercepted
    /// TLS is relayed untouched, since a rule says so.
    case passedThrough
    /// Not TLS: relayed untouched.
    case opaque
    /// Plain HTTP, no CONNECT.
    case plain
    /// Answered by the proxy itself.
    case local
}

/// One attempt to connect to an address of the server.
package struct DialRecord: Sendable, Equatable, Codable {
    /// The address, `host:port`.
    package var address: String
    /// When the attempt began.
    package var started: Timestamp
    /// How long it took.
    package var duration: Duration
    /// Why it failed; `nil` for the one that succeeded.
    package var failure: String?

    /// Creates the record of an attempt.
    package init(address: String, started: Timestamp, duration: Duration, failure: String?) {
        self.address = address
        self.started = started
        self.duration = duration
        self.failure = failure
    }
}

/// How a tunnel ended, and whose fault.
package struct Outcome: Sendable, Equatable, Codable {
    /// What kind of end it was.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        /// Both sides were done.
        case completed
        /// The client opened a connection and did not need it, which is no failure.
        case spare
        /// A handshake failed; the flow's handshakes say how.
        case handshakeFailed
        /// No connection to the server could be made.
        case dialFailed
        /// The proxy refused (authentication, address list, loop, malformed request).
        case refused
        /// A side went away or broke the protocol in the middle.
        case aborted
        /// A deadline passed.
        case timedOut
        /// The proxy was stopped.
        case stopped
    }

    /// What kind of end it was.
    package var kind: Kind
    /// Whose fault it was; `nil` when nobody's.
    package var fault: Side?
    /// One sentence for people.
    package var detail: String

    /// Creates an outcome.
    package init(_ kind: Kind, fault: Side? = nil, detail: String) {
        self.kind = kind
        self.fault = fault
        self.detail = detail
    }
}

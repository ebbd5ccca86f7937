/// The record of a tunnel: peers, both handshakes, exchanges, outcome.
package struct FlowRecord: Sendable, Equatable, Codable {
    /// The number of the flow.
    package var id: FlowID
    /// The time at which the client connected.
    package var opened: Timestamp
    /// The time at which the tunnel was closed; `nil` while it is open.
    package var closed: Timestamp?
    /// The client's address, `host:port`.
    package var client: String
    /// The program that made the connection; `nil` unless it runs on this machine and was found.
    package var clientProcess: ClientProcess?
    /// The user who logged in to the proxy with the right password; if several did on one connection, the last of them.
    package var proxyUser: String?
    /// The address that the client connected to, `host:port`.
    package var listener: String
    /// The way in which the client addressed the proxy; `nil` in captures of earlier versions.
    package var listenerKind: ListenerKind?
    /// The transport between the client and the proxy itself; `nil` for plain HTTP/1.1, and if the client spoke no
    /// HTTP.
    package var inbound: InboundTransport?
    /// The authority that the client requested, `host:port`; `nil` until the request.
    package var authority: String?
    /// The treatment of the tunnel; `nil` until it is decided.
    package var treatment: Treatment?
    /// The reason for the treatment, which is the rule that decided, in a sentence.
    package var reason: String?
    /// The server's address to which the proxy connected, `host:port`.
    package var server: String?
    /// The proxy through which the server was reached, without its password; `nil` if there was none.
    package var nextHop: String?
    /// The attempts to connect, in order.
    package var dials: [DialRecord] = []
    /// The client's offer in its ClientHello.
    package var clientHello: ClientHelloRecord?
    /// The handshake with the client.
    package var clientHandshake: HandshakeRecord?
    /// The handshake with the server.
    package var serverHandshake: HandshakeRecord?
    /// The way in which the client ended its TLS connection after the handshake; `nil` if it did not.
    package var clientEnd: ClientEnd?
    /// Bytes that the client sent, encryption included.
    package var bytesFromClient: Int64 = 0
    /// Bytes that the server sent, encryption included.
    package var bytesFromServer: Int64 = 0
    /// The number of exchanges.
    package var exchanges: Int = 0
    /// The outcome; `nil` while the flow is running.
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
    /// Whether the flow failed: one of its handshakes failed, or it ended by an error.
    package var isFailed: Bool {
        if clientHandshake?.failure != nil || serverHandshake?.failure != nil { return true }
        guard let outcome else { return false }
        return ![.completed, .spare, .stopped].contains(outcome.kind)
    }

    /// Whether the flow ended after a failed handshake with the server that an exchange of the flow shows.
    ///
    /// The proxy answered a request with the failure, so the flow tells nothing that the exchange does not tell.
    package var isAnsweredFailure: Bool {
        closed != nil && outcome != nil && exchanges > 0 && serverHandshake?.failure != nil
            && clientHandshake?.failure == nil && treatment != .passedThrough && treatment != .opaque
    }
}

/// The treatment of a tunnel.
package enum Treatment: String, Sendable, Codable, CaseIterable {
    /// TLS is terminated on both sides; messages are read.
    case intercepted
    /// TLS is relayed untouched, because a rule says so.
    case passedThrough
    /// Another protocol than TLS and HTTP is relayed untouched.
    case opaque
    /// Plain HTTP without CONNECT is read.
    case plain
    /// The proxy answers itself.
    case local
}

/// An attempt to connect to an address of the server.
package struct DialRecord: Sendable, Equatable, Codable {
    /// The address, `host:port`.
    package var address: String
    /// The time at which the attempt began.
    package var started: Timestamp
    /// The duration of the attempt.
    package var duration: Duration
    /// The reason of the failure; `nil` for the attempt that succeeded.
    package var failure: String?

    /// Creates the record of an attempt.
    package init(address: String, started: Timestamp, duration: Duration, failure: String?) {
        self.address = address
        self.started = started
        self.duration = duration
        self.failure = failure
    }
}

/// The end of a tunnel, and the side at fault.
package struct Outcome: Sendable, Equatable, Codable {
    /// The kind of end.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        /// Both sides finished.
        case completed
        /// The client opened a connection and did not need it, which is not a failure.
        case spare
        /// A handshake failed; the flow's handshakes have the details.
        case handshakeFailed
        /// No connection to the server could be made.
        case dialFailed
        /// The proxy refused (authentication, address list, loop, malformed request).
        case refused
        /// A side closed the connection or broke the protocol before the end.
        case aborted
        /// A deadline passed.
        case timedOut
        /// The proxy was stopped.
        case stopped
    }

    /// The kind of end.
    package var kind: Kind
    /// The side at fault; `nil` if neither was.
    package var fault: Side?
    /// The reason for users, in one sentence.
    package var detail: String

    /// Creates an outcome.
    package init(_ kind: Kind, fault: Side? = nil, detail: String) {
        self.kind = kind
        self.fault = fault
        self.detail = detail
    }
}

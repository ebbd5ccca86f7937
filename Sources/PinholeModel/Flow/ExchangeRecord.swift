/// One request and its response in a flow.
package struct ExchangeRecord: Sendable, Equatable {
    /// The number of the exchange.
    package var id: ExchangeID
    /// The flow that it belongs to.
    package var flow: FlowID
    /// `https` when it was decrypted, `http` when it was plain.
    package var scheme: Scheme
    /// The server that was meant.
    package var authority: Authority
    /// The user who logged in to the proxy, with this request or for its tunnel; `nil` where nobody had to.
    package var proxyUser: String?
    /// The method, as it came.
    package var method: String
    /// The path and query, as they came (`*` for OPTIONS *).
    package var path: String
    /// The request.
    package var request: MessageRecord
    /// The final status; `nil` until a response came.
    package var status: Int?
    /// The final response; `nil` until its head came.
    package var response: MessageRecord?
    /// The heads of interim (1xx) responses, as they came.
    package var informational: [[UInt8]] = []
    /// When each stage was reached.
    package var timings: ExchangeTimings
    /// How it ended; `nil` while it goes on.
    package var outcome: ExchangeOutcome?
    /// What the proxy did to it, beyond hop-by-hop fields.
    package var notes: [ExchangeNote] = []
    /// The rules that acted on it, in their order.
    package var rules: [RuleHit] = []
    /// How many messages passed, where it became a WebSocket.
    package var messages: Int64 = 0

    /// Creates the record of an exchange whose request head has just come.
    package init(
        id: ExchangeID,
        flow: FlowID,
        scheme: Scheme,
        authority: Authority,
        proxyUser: String? = nil,
        method: String,
        path: String,
        request: MessageRecord,
        timings: ExchangeTimings
    ) {
        self.id = id
        self.flow = flow
        self.scheme = scheme
        self.authority = authority
        self.proxyUser = proxyUser
        self.method = method
        self.path = path
        self.request = request
        self.timings = timings
    }

    /// The URL that was requested; the port is left out where it is the scheme's own.
    package var url: String { scheme.url(of: path, at: authority) }
}

/// The scheme of an exchange.
package enum Scheme: String, Hashable, Sendable, Codable {
    /// HTTP in the clear.
    case http
    /// HTTP over TLS.
    case https

    /// 80 or 443.
    package var defaultPort: UInt16 { self == .http ? 80 : 443 }

    /// The URL of what was asked for; the port is left out where it is the scheme's own.
    ///
    /// - Parameters:
    ///   - path: Path and query; `*` for the server as a whole. One that was refused may begin with no slash.
    ///   - authority: The server.
    /// - Returns: The URL.
    package func url(of path: String, at authority: Authority) -> String {
        let server = "\(rawValue)://\(authority.text(defaultPort: defaultPort))"
        if path == "*" || path.isEmpty { return server }
        return path.utf8.first == 0x2f ? server + path : "\(server)/\(path)"
    }
}

/// One message: head, body and trailers.
package struct MessageRecord: Sendable, Equatable {
    /// The start line, the field lines and the empty line, byte for byte as they were received.
    package var head: [UInt8]
    /// What was seen of the body.
    package var body = BodyRecord()
    /// The trailer field lines as they were received; empty when there were none.
    package var trailers: [UInt8] = []

    /// Creates the record of a message whose head came.
    package init(head: [UInt8]) { self.head = head }

    /// The field lines, without the start line.
    package var fields: HeaderFields {
        let start = head.firstIndex(of: 0x0a).map { $0 + 1 } ?? head.endIndex
        return HeaderFields(section: head[start...])
    }
}

/// A body, without its transfer coding (chunk framing); content codings (gzip …) are kept.
package struct BodyRecord: Sendable, Equatable {
    /// The bytes that lie in the record itself.
    ///
    /// A longer body continues in ``FlowEvent/bodyPart(_:_:_:)``s.
    package var inline: [UInt8] = []
    /// The true length in bytes, captured or not.
    package var length: Int64 = 0
    /// How many bytes were captured: in the record and in parts.
    package var capturedLength: Int64 = 0
    /// Whether the whole body passed.
    ///
    /// A message that was cut off never becomes complete.
    package var isComplete = false

    /// Creates the record of a body of which nothing was seen yet.
    package init() {}

    /// Whether bytes passed that were not captured, because of the limit.
    package var isTruncated: Bool { capturedLength < length }
}

/// When each stage of an exchange was reached.
package struct ExchangeTimings: Sendable, Equatable, Codable {
    /// The first byte of the request was there.
    package var started: Timestamp
    /// Time in the queue, until a connection to the server was asked for.
    package var blocked: Duration?
    /// Name resolution; `nil` when a connection or an answer was reused.
    package var resolve: Duration?
    /// Until the TCP connection stood; `nil` when one was reused.
    package var connect: Duration?
    /// The TLS handshake with the server; `nil` when a connection was reused.
    package var tls: Duration?
    /// The request was sent to its last byte.
    package var requestEnded: Timestamp?
    /// The first byte of the final response's head was there.
    package var responseStarted: Timestamp?
    /// The exchange was over.
    package var ended: Timestamp?

    /// Creates timings that start at `started`.
    package init(started: Timestamp) { self.started = started }

    /// How long it took to set up a connection that stood before the request came.
    ///
    /// What is intercepted has both handshakes behind it when its first request comes.
    ///
    /// - Parameter flow: The flow of the exchange, if it is still there.
    /// - Returns: The time; `nil` where it was a part of the exchange, or where there was nothing to set up.
    package func setUpBefore(_ flow: FlowRecord?) -> Duration? {
        let setUp = (resolve ?? .zero) + (connect ?? .zero) + (tls ?? .zero)
        guard setUp > .zero else { return nil }
        // The flow has one handshake with a server; it is this exchange's where it took as long.
        if let tls, tls > .zero, let handshake = flow?.serverHandshake, handshake.duration == tls,
            handshake.started + tls <= started
        {
            return setUp
        }
        // What takes longer than the answer was no part of waiting for it.
        guard let answered = responseStarted ?? ended else { return nil }
        return answered - started < (blocked ?? .zero) + setUp ? setUp : nil
    }
}

/// Something that the proxy did to a message, beyond removing hop-by-hop fields.
package enum ExchangeNote: String, Sendable, Codable, CaseIterable {
    /// The response's Alt-Svc was removed, since it would lead the client past the proxy.
    case altSvcRemoved
    /// The server connection had been used before.
    case connectionReused
    /// The request was sent again, since the reused connection turned out to be closed.
    case retried
    /// The connection became a relay (101 Switching Protocols).
    case upgraded
    /// The server answered before the request was complete.
    case answeredEarly
    /// It became a WebSocket, whose messages are recorded.
    case webSocket
    /// A side broke the WebSocket protocol; from there on the connection was relayed unread.
    case webSocketBroken
    /// More interim responses passed than are kept.
    case interimLeftOut
    /// Rules acted on it; ``ExchangeRecord/rules`` says which.
    case ruled
    /// The request was sent with the proxy's name in Via, since many waited for the server: had it come back,
    /// it would have gone round in a circle.
    case viaAdded
    /// The server asked for a client certificate in the handshake, got none, and answered with an error.
    case clientCertificateMissing
}

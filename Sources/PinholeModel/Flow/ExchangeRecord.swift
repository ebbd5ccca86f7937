/// A request and its response in a flow.
package struct ExchangeRecord: Sendable, Equatable {
    /// The number of the exchange.
    package var id: ExchangeID
    /// The flow that it belongs to.
    package var flow: FlowID
    /// The scheme: `https` if the exchange was decrypted, `http` if it was plain.
    package var scheme: Scheme
    /// The server that the client requested.
    package var authority: Authority
    /// The user who logged in to the proxy, with this request or for its tunnel; `nil` if no login was required.
    package var proxyUser: String?
    /// The method, as received.
    package var method: String
    /// The path and query, as received (`*` for OPTIONS *).
    package var path: String
    /// The head, the body and the trailers of the request.
    package var request: MessageRecord
    /// The final status; `nil` until a response arrives.
    package var status: Int?
    /// The final response; `nil` until its head arrives.
    package var response: MessageRecord?
    /// The Server field of the final response (RFC 9110 §10.2.4); `nil` if it has none.
    package var responseServer: String?
    /// The types and names of the operations of GraphQL in the request; `nil` if it has none.
    package var graphQL: String?
    /// The status of the protocol inside of HTTP; `nil` if there is none, or if the response is not complete.
    package var protocolStatus: ProtocolStatus?
    /// The heads of interim (1xx) responses, as received.
    package var informational: [[UInt8]] = []
    /// The times at which the stages were reached.
    package var timings: ExchangeTimings
    /// The outcome; `nil` while the exchange is running.
    package var outcome: ExchangeOutcome?
    /// The things that the proxy did to the exchange, except for hop-by-hop fields.
    package var notes: [ExchangeNote] = []
    /// The rules that acted on the exchange, in their order.
    package var rules: [RuleHit] = []
    /// The number of messages of the WebSocket that the exchange became; otherwise 0.
    package var messages: Int64 = 0
    /// The bytes of the payloads of those messages, as they were sent.
    package var messageBytes: Int64 = 0

    /// Creates the record of an exchange when the head of its request has arrived.
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

    /// The requested URL, without the port if that is the default of the scheme.
    package var url: String { scheme.url(of: path, at: authority) }

    /// Takes the facts of the response's head that lists show and filters ask for.
    package mutating func noteResponse(_ fields: HeaderFields) { responseServer = fields.first("server") }
}

/// The scheme of an exchange.
package enum Scheme: String, Hashable, Sendable, Codable {
    /// HTTP without TLS.
    case http
    /// HTTP over TLS.
    case https

    /// The default port, 80 or 443.
    package var defaultPort: UInt16 { self == .http ? 80 : 443 }

    /// Returns the URL of a request, without the port if that is the default of the scheme.
    ///
    /// - Parameters:
    ///   - path: The path and query; `*` for the server as a whole. The path of a refused request may lack its slash.
    ///   - authority: The server.
    /// - Returns: The URL.
    package func url(of path: String, at authority: Authority) -> String {
        let server = "\(rawValue)://\(authority.text(defaultPort: defaultPort))"
        if path == "*" || path.isEmpty { return server }
        return path.utf8.first == 0x2f ? server + path : "\(server)/\(path)"
    }
}

/// A request or a response: head, body and trailers.
package struct MessageRecord: Sendable, Equatable {
    /// The start line, the field lines and the empty line, byte for byte as they were received.
    package var head: [UInt8]
    /// The recorded part of the body.
    package var body = BodyRecord()
    /// The trailer field lines as received; empty if there were none.
    package var trailers: [UInt8] = []

    /// Creates the record of a message when its head has arrived.
    package init(head: [UInt8]) { self.head = head }

    /// The field lines, without the start line.
    package var fields: HeaderFields {
        let start = head.firstIndex(of: 0x0a).map { $0 + 1 } ?? head.endIndex
        return HeaderFields(section: head[start...])
    }
}

/// A body, without its transfer coding (chunk framing); content codings (gzip …) are kept.
package struct BodyRecord: Sendable, Equatable {
    /// The bytes that are stored in the record itself.
    ///
    /// A longer body continues in ``FlowEvent/bodyPart(_:_:_:)``s.
    package var inline: [UInt8] = []
    /// The true length in bytes, whether captured or not.
    package var length: Int64 = 0
    /// The number of bytes that were captured, in the record and in parts.
    package var capturedLength: Int64 = 0
    /// Whether the whole body passed.
    ///
    /// A message that was cut off is never complete.
    package var isComplete = false

    /// Creates the record of a body before its first byte.
    package init() {}

    /// Whether more bytes passed than were captured, because of the limit.
    package var isTruncated: Bool { capturedLength < length }
}

/// The times at which the stages of an exchange were reached.
package struct ExchangeTimings: Sendable, Equatable, Codable {
    /// The time at which the first byte of the request arrived.
    package var started: Timestamp
    /// The time in the queue, until a connection to the server was requested.
    package var blocked: Duration?
    /// The time of the name resolution; `nil` if a connection or an earlier resolution was reused.
    package var resolve: Duration?
    /// The time until the TCP connection was open; `nil` if a connection was reused.
    package var connect: Duration?
    /// The time of the TLS handshake with the server; `nil` if a connection was reused.
    package var tls: Duration?
    /// The time at which the last byte of the request was sent.
    package var requestEnded: Timestamp?
    /// The time at which the first byte of the final response's head arrived.
    package var responseStarted: Timestamp?
    /// The time at which the exchange ended.
    package var ended: Timestamp?

    /// Creates timings that start at `started`.
    package init(started: Timestamp) { self.started = started }

    /// Returns the time that it took to set up a connection that was open before the request arrived.
    ///
    /// In an intercepted tunnel, both handshakes are finished before the first request arrives.
    ///
    /// - Parameter flow: The flow of the exchange, if it still exists.
    /// - Returns: The time; `nil` if the set-up was part of the exchange, or if there was none.
    package func setUpBefore(_ flow: FlowRecord?) -> Duration? {
        let setUp = (resolve ?? .zero) + (connect ?? .zero) + (tls ?? .zero)
        guard setUp > .zero else { return nil }
        // The flow has one handshake with a server. It belongs to this exchange if it took equally long.
        if let tls, tls > .zero, let handshake = flow?.serverHandshake, handshake.duration == tls,
            handshake.started + tls <= started
        {
            return setUp
        }
        // A set-up that took longer than the wait for the answer was not part of that wait.
        guard let answered = responseStarted ?? ended else { return nil }
        return answered - started < (blocked ?? .zero) + setUp ? setUp : nil
    }
}

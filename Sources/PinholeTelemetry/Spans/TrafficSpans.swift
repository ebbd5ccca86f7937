import PinholeCrypto
package import PinholeModel
import PinholeStore

/// Makes the spans of recorded traffic: what is sent to a collector of OpenTelemetry.
///
/// An exchange has two spans: the proxy as the server of its client, and below it the proxy as the client of the server.
/// A span has facts of the proxy, hosts, registered words and names, and no value of a message: of a path its template,
/// of a query the names of its parameters, of User-Agent its products. Texts that quote messages, such as reasons, stay
/// here. The numbers of spans depend on the record alone, so that a second export of the same capture is recognised as
/// the same.
///
/// Source: the semantic conventions of OpenTelemetry 1.44, “HTTP spans” and “TLS”.
package struct TrafficSpans: Sendable {
    private let template = PathTemplate()

    /// The methods of RFC 9110 §9 and RFC 5789; any other is `_OTHER`, since names of spans are few.
    private static let methods: Set = [
        "CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "QUERY", "TRACE",
    ]

    /// The fields that fill an attribute.
    private static let ofExchanges = ExchangeFields.all.filter { $0.span != nil }
    private static let ofFlows = FlowFields.all.filter { $0.span != nil }
    /// The fields of flows that exchanges show.
    private static let joined = FlowFields.joined.filter { $0.span != nil }

    /// Creates a maker of spans.
    package init() {}

    // MARK: Exchanges

    /// Returns the spans of an exchange that has ended.
    ///
    /// - Parameters:
    ///   - record: The exchange, with its heads.
    ///   - flow: The flow of the exchange; `nil` if it was removed.
    /// - Returns: One span or two; none if the exchange has not ended.
    package func spans(of record: ExchangeRecord, _ flow: FlowRecord?) -> [Span] {
        guard let outcome = record.outcome, let ended = record.timings.ended else { return [] }
        let requested = record.request.fields
        let (trace, server, client) = Self.numbers(record.id.rawValue, record.timings.started, flow)
        let context = TraceContext(requested)
        let isKnown = Self.methods.contains(record.method)
        let name = isKnown ? record.method : "HTTP"

        var outer = Span(
            trace: context?.trace ?? trace,
            id: server,
            name: name,
            kind: .server,
            started: record.timings.started,
            ended: ended
        )
        outer.parent = context?.parent ?? []
        outer.add(record, Self.ofExchanges, .client)
        if let flow { outer.add(flow, Self.joined, .client) }
        outer.add("http.request.method", isKnown ? record.method : "_OTHER")
        outer.add(server: record)
        add(target: record, to: &outer)
        outer.add("client", address: flow?.client)
        outer.add("network.peer", address: flow?.client)
        outer.add("network.protocol.version", Self.number(ofVersion: record.requestVersion))
        outer.add(
            "pinhole.user_agent.products",
            requested.first("user-agent").map(UserAgentProducts.init)?.words ?? []
        )
        outer.addAnswer(record, outcome, flow?.clientHandshake, isFailure: 500)
        outer.addClient(flow)
        outer.add("pinhole.rules", record.rules.map(\.kind))
        if let handshake = flow?.clientHandshake { outer.add(handshake) }

        // An answer of the proxy itself asked no server.
        guard outcome.kind != .answeredByProxy, flow?.treatment != .local else { return [outer] }
        let waited = record.timings.blocked ?? .zero
        var inner = Span(
            trace: outer.trace,
            id: client,
            name: name,
            kind: .client,
            started: min(record.timings.started + waited, ended),
            ended: ended
        )
        inner.parent = server
        inner.add(record, Self.ofExchanges, .server)
        inner.add("http.request.method", isKnown ? record.method : "_OTHER")
        inner.add(server: record)
        add(target: record, to: &inner)
        inner.add("network.peer", address: flow?.server)
        inner.add(
            "network.protocol.version",
            Self.number(ofVersion: record.responseVersion ?? record.requestVersion)
        )
        if record.notes.contains(.retried) { inner.add("http.request.resend_count", 1) }
        inner.addAnswer(record, outcome, flow?.serverHandshake, isFailure: 400)
        inner.add("pinhole.next_hop", flow?.nextHop)
        if let handshake = flow?.serverHandshake { inner.add(handshake) }
        return [outer, inner]
    }

    /// Adds what may be told of a URL: the template of its path, and the names of its parameters.
    private func add(target record: ExchangeRecord, to span: inout Span) {
        span.add("url.template", template.template(of: record.path))
        span.add("pinhole.url.parameters", template.parameterNames(of: record.path))
    }

    /// Returns `1.1` of `HTTP/1.1`, and `2` of `HTTP/2`.
    private static func number(ofVersion version: String) -> String? {
        version.hasPrefix("HTTP/") ? String(version.dropFirst(5)) : nil
    }

    /// Returns numbers for a trace and two spans, which are the same each time for the same record.
    private static func numbers(
        _ id: Int64,
        _ started: Timestamp,
        _ flow: FlowRecord?
    ) -> (trace: [UInt8], outer: [UInt8], inner: [UInt8]) {
        let facts =
            "\(id) \(started.microseconds) \(flow?.client ?? "") \(flow?.opened.microseconds ?? 0)"
        let digest = Digest.sha256(Array(facts.utf8))
        return (Array(digest[..<16]), Array(digest[16..<24]), Array(digest[24..<32]))
    }

    // MARK: Flows

    /// Returns the span of a flow that failed before its first request.
    ///
    /// - Returns: The span; `nil` unless the flow has ended and failed.
    package func span(of flow: FlowRecord) -> Span? {
        guard let closed = flow.closed, flow.isFailed else { return nil }
        let (trace, outer, _) = Self.numbers(flow.id.rawValue, flow.opened, flow)
        let failed = flow.handshakes.first { $0.failure != nil }
        var span = Span(
            trace: trace,
            id: outer,
            name: failed == nil ? "CONNECT" : "TLS handshake",
            kind: failed?.peer == .server ? .client : .server,
            started: flow.opened,
            ended: closed
        )
        if let target = flow.target { span.add("server", target.host, port: Int64(target.port)) }
        if span.kind == .client {
            span.add("network.peer", address: flow.server)
        } else {
            span.add("client", address: flow.client)
            span.add("network.peer", address: flow.client)
        }
        span.addClient(flow)
        span.add(flow, Self.ofFlows, span.kind == .client ? .server : .client)
        if let failed { span.add(failed) }
        if let failure = failed?.failure {
            span.add("error.type", failure.cause.rawValue)
            span.add("pinhole.tls.peer", failed?.peer.rawValue)
            span.add("pinhole.tls.alert", failure.alert?.name)
            span.add("pinhole.tls.alert.code", (failure.alert?.code).map(Int64.init))
            span.add("pinhole.tls.is_hint", .boolean(failure.isHint))
        } else {
            span.add("error.type", flow.outcome?.kind.rawValue)
        }
        span.failure = ""
        return span
    }
}

extension Span {
    /// Adds the attributes that fields of a record fill in the span toward a side.
    fileprivate mutating func add<Record>(_ record: Record, _ fields: [RecordField<Record>], _ side: Side) {
        for field in fields {
            guard let span = field.span, span.side == nil || span.side == side else { continue }
            switch field.value {
            case .text(let get): add(span.name, get(record))
            case .texts(let get): add(span.name, get(record))
            case .number(.duration, let get):
                add(span.name, seconds: get(record).map { .microseconds($0) })
            case .number(_, let get): add(span.name, get(record))
            case .object, nil: break
            }
        }
    }

    /// Adds the server that the client asked for.
    fileprivate mutating func add(server record: ExchangeRecord) {
        add("server", record.authority.host, port: Int64(record.authority.port))
    }

    /// Adds the status and size of the response, and the reason of a failure.
    ///
    /// - Parameters:
    ///   - record: The exchange.
    ///   - outcome: Its end.
    ///   - handshake: The handshake of this side, whose failure is the most exact reason.
    ///   - least: The least status that counts as a failure: 500 for a server, 400 for a client.
    fileprivate mutating func addAnswer(
        _ record: ExchangeRecord,
        _ outcome: ExchangeOutcome,
        _ handshake: HandshakeRecord?,
        isFailure least: Int
    ) {
        // The conventions judge a response by its status: 500 fails for a server, 400 for a client.
        let isAnswered = !record.isBroken || outcome.kind == .answeredByProxy
        let status = record.status.flatMap { $0 >= least ? String($0) : nil }
        let error =
            isAnswered
            ? status ?? record.protocolStatus?.trouble
            : handshake?.failure?.cause.rawValue ?? outcome.kind.rawValue
        guard let error else { return }
        add("error.type", error)
        failure = ""
    }

    /// Adds the facts of a handshake.
    fileprivate mutating func add(_ handshake: HandshakeRecord) {
        add("tls.established", .boolean(handshake.failure == nil))
        add("tls.protocol.name", handshake.version.map { $0.hasPrefix("SSL") ? "ssl" : "tls" })
        add(
            "tls.protocol.version",
            handshake.version.map { version in
                let number = version.drop { !$0.isNumber }
                // “TLSv1” is version 1.0.
                return number.contains(".") ? String(number) : "\(number).0"
            }
        )
        add("tls.cipher", handshake.cipher)
        add("tls.curve", handshake.group)
        add(
            "tls.next_protocol",
            handshake.applicationProtocol.flatMap { Self.protocols.contains($0) ? $0 : nil }
        )
        add("tls.client.server_name", handshake.serverName)
        if handshake.failure == nil { add("tls.resumed", .boolean(handshake.isResumed)) }
    }

    /// The protocols that the proxy agrees on; peers may send any other bytes as a name.
    private static let protocols: Set = ["http/1.0", "http/1.1", "h2", "h3"]

    /// Adds what is known of the program that made the connection.
    fileprivate mutating func addClient(_ flow: FlowRecord?) {
        // A program may give itself any name.
        let name = flow?.clientProcess?.name
        add("pinhole.client.process.name", name.flatMap { SafeNames.hasIdentifierForm($0) ? $0 : nil })
        add("pinhole.client.process.pid", (flow?.clientProcess?.pid).map(Int64.init))
    }
}

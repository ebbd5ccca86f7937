import PinholeModel

/// TLS and HTTP/2 that are spoken to the proxy itself, before any request.
extension Tunnel {
    /// Whether the client has not sent anything before.
    var isGreeted: Bool { phase == .awaitingRequest && flow.inbound == nil }

    /// Whether the client's connection is a stream of HTTP/2.
    var isInStream: Bool { flow.inbound?.stream != nil }

    /// Whether a client that has sent nothing has ended its half in this way, but still waits for the server.
    func isHalfClose(_ kind: CloseKind) -> Bool { isInStream && kind == .orderly && !wasHelloBegun }

    /// Handles a client that sends nothing but waits for the server: END_STREAM is no more than a FIN (RFC 9113 §8.5).
    mutating func clientHalfClosed() {
        closedHalves.append(.client)
        if phase == .peeking { relayOpaque() }
    }

    /// Begins TLS with a client that uses the listener as an HTTPS proxy, or as a server.
    mutating func secureInbound(_ hello: ClientHelloRecord) {
        if case .own = arrival { return endDirect() }
        phase = .securingInbound
        if mode.isProxy { flow.listenerKind = .https }
        flow.clientHello = hello
        commands.append(.driver(.arm(.handshake(.client), policy.limits.handshakeTimeout)))
        guard case .reverse = mode, policy.given.identity(for: hello.serverName) != nil else {
            return commands.append(.driver(.mint(leafOfListener(for: hello))))
        }
        commands.append(.present(given: hello.serverName))
        inboundMinted()
    }

    /// Continues when the leaf of the proxy itself was made.
    mutating func inboundMinted() {
        let offered = flow.clientHello?.applicationProtocols ?? []
        // A client that offers no protocols speaks HTTP/1.1. A client that offers only other protocols is refused by
        // ALPN.
        let spoken = arrival == nil ? ["h2", "http/1.1", "http/1.0"] : ["http/1.1", "http/1.0"]
        let agreed = spoken.first { offered.contains($0) } ?? "http/1.1"
        commands.append(
            .secureClient(
                scope: scopeOfListener,
                applicationProtocol: offered.isEmpty ? nil : agreed
            )
        )
    }

    mutating func inboundSecured(_ record: HandshakeRecord) {
        if let failure = record.failure {
            flow.clientHandshake = record
            return abort(Outcome(.handshakeFailed, fault: .client, detail: failure.detail))
        }
        guard !isDraining else { return abort(Outcome(.stopped, detail: "the proxy was stopped")) }
        // The record shows the ClientHello inside the tunnel, and not this one.
        flow.clientHello = nil
        let agreed = record.applicationProtocol ?? "http/1.1"
        flow.inbound = InboundTransport(handshake: record, applicationProtocol: agreed)
        guard agreed != "h2" else { return acceptHTTP2() }
        phase = .awaitingRequest
        commands.append(.carryInside)
        commands.append(.driver(.arm(.head, policy.limits.headTimeout)))
    }

    /// Accepts HTTP/2 to the proxy itself: requests name their servers, and a CONNECT opens a tunnel in its stream
    /// (RFC 9113 §8.5).
    mutating func acceptHTTP2() {
        guard arrival == nil else { return endDirect() }
        flow.inbound = flow.inbound ?? InboundTransport(handshake: nil, applicationProtocol: "h2")
        if case .reverse(let origin) = mode {
            noteReverse(origin)
        } else {
            flow.treatment = .plain
            flow.reason = "HTTP/2 to the proxy: each stream is a request or a tunnel"
        }
        commands.append(.record(flow))
        converse()
    }
}

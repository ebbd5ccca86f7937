import PinholeModel

/// TLS and HTTP/2 that are spoken to the proxy itself, before any request.
extension Tunnel {
    /// Whether what comes is the first that the client says.
    var isGreeted: Bool { phase == .awaitingRequest && flow.inbound == nil }

    /// Whether the client's end is a stream of HTTP/2.
    var isInStream: Bool { flow.inbound?.stream != nil }

    /// Whether a client that ends so before it has said anything wants to hear the server.
    func isHalfClose(_ kind: CloseKind) -> Bool { isInStream && kind == .orderly && !wasHelloBegun }

    /// The client sends nothing, and wants to hear the server: END_STREAM is FIN and no more (RFC 9113 §8.5).
    mutating func clientHalfClosed(at now: Timestamp, into commands: inout [TunnelCommand]) {
        closedHalves.append(.client)
        if phase == .peeking { relayOpaque(at: now, into: &commands) }
    }

    /// The client begins with TLS: to it this is an HTTPS proxy.
    mutating func secureInbound(
        _ hello: ClientHelloRecord,
        at now: Timestamp,
        into commands: inout [TunnelCommand]
    ) {
        if case .own = arrival { return endDirect(at: now, into: &commands) }
        phase = .securingInbound
        if mode == .explicit { flow.listenerKind = .https }
        flow.clientHello = hello
        commands.append(.arm(.handshake(.client), policy.limits.handshakeTimeout))
        commands.append(.mint(leafOfListener(for: hello)))
    }

    /// The leaf of the proxy itself is there.
    mutating func inboundMinted(into commands: inout [TunnelCommand]) {
        let offered = flow.clientHello?.applicationProtocols ?? []
        // A client that offers nothing speaks HTTP/1.1; one that offers something else is told so.
        let spoken = arrival == nil ? ["h2", "http/1.1", "http/1.0"] : ["http/1.1", "http/1.0"]
        let agreed = spoken.first { offered.contains($0) } ?? "http/1.1"
        commands.append(
            .secureClient(
                scope: scopeOfListener,
                applicationProtocol: offered.isEmpty ? nil : agreed
            )
        )
    }

    mutating func inboundSecured(
        _ record: HandshakeRecord,
        at now: Timestamp,
        into commands: inout [TunnelCommand]
    ) {
        if let failure = record.failure {
            flow.clientHandshake = record
            return abort(
                Outcome(.handshakeFailed, fault: .client, detail: failure.detail),
                at: now,
                into: &commands
            )
        }
        guard !isDraining else {
            return abort(Outcome(.stopped, detail: "the proxy was stopped"), at: now, into: &commands)
        }
        // The ClientHello of a tunnel is the one inside it.
        flow.clientHello = nil
        let agreed = record.applicationProtocol ?? "http/1.1"
        flow.inbound = InboundTransport(handshake: record, applicationProtocol: agreed)
        guard agreed != "h2" else { return acceptHTTP2(at: now, into: &commands) }
        phase = .awaitingRequest
        commands.append(.carryInside)
        commands.append(.arm(.head, policy.limits.headTimeout))
    }

    /// The client speaks HTTP/2 to the proxy: requests name their servers, and a CONNECT opens a tunnel in its
    /// stream (RFC 9113 §8.5).
    mutating func acceptHTTP2(at now: Timestamp, into commands: inout [TunnelCommand]) {
        guard arrival == nil else { return endDirect(at: now, into: &commands) }
        flow.inbound = flow.inbound ?? InboundTransport(handshake: nil, applicationProtocol: "h2")
        if case .reverse(let origin) = mode {
            noteReverse(origin)
        } else {
            flow.treatment = .plain
            flow.reason = "HTTP/2 to the proxy: each stream is a request or a tunnel"
        }
        commands.append(.record(flow))
        multiplex(clientSpeaksHTTP2: true, into: &commands)
    }
}

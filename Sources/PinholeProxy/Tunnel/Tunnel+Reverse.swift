import PinholeCrypto
import PinholeModel
import PinholeWire

/// A listener that stands before one server: to clients it is that server, and no proxy.
extension Tunnel {
    mutating func receivedInReverse(
        _ head: RequestHead,
        _ origin: ReverseOrigin,
        at now: Timestamp,
        into commands: inout [TunnelCommand]
    ) {
        // Clients of a server know of no credentials for a proxy: their address alone counts.
        guard policy.access.admits(clientAddress) else {
            let refusal = AccessRules.Refusal.address
            let answer = refusal.answer(to: clientAddress, accept: head.fields.first("accept"))
            return refuse(answer, head, at: now, into: &commands)
        }
        noteReverse(origin)
        if expectsHTTP2 {
            commands.append(.record(flow))
            phase = .handedOver
            return commands.append(
                .multiplex(clientSpeaksHTTP2: false, request: HandedRequest(head: head, wasSent: false))
            )
        }
        phase = .exchanging
        commands.append(.record(flow))
        beginExchange(head, at: now, into: &commands)
    }

    /// Whether the server that the listener stands before may have gone away because it was not offered HTTP/2: it
    /// agreed to nothing.
    private var mayOriginWantHTTP2: Bool {
        guard case .reverse = mode, let exchange, !exchange.isElsewhere, !exchange.responseHasBegun,
            exchange.target.serverName?.applicationProtocols == ["http/1.1"],
            let handshake = secured?.handshake
        else { return false }
        guard let failure = handshake.failure else { return handshake.applicationProtocol == nil }
        return failure.cause == .noCommonProtocol
    }

    /// Asks the server that the listener stands before for HTTP/2, where that may be all that it speaks: the request
    /// at hand if it may be sent again, and those of other clients in any case.
    ///
    /// - Returns: Whether it is asked for the request at hand.
    mutating func asksOriginForHTTP2(into commands: inout [TunnelCommand]) -> Bool {
        guard mayOriginWantHTTP2, let exchange else { return false }
        commands.append(.expectHTTP2(exchange.target.authority))
        let wasSent = secured?.handshake.failure == nil
        // What rules have done is not undone, and of a body without a length a part may be in the record.
        guard exchange.ruling == nil,
            wasSent ? exchange.isRepeatable : exchange.request.framing != .chunked
        else { return false }
        flow.serverHandshake = nil
        askForHTTP2(again: HandedRequest(head: exchange.request, wasSent: wasSent), into: &commands)
        return true
    }

    mutating func noteReverse(_ origin: ReverseOrigin) {
        flow.authority = origin.authority.description
        flow.treatment = .plain
        flow.reason = "the listener stands before \(origin)"
    }

    /// Where a request goes, whatever server it names.
    func destination(of head: RequestHead, in origin: ReverseOrigin) -> Destination {
        var target = origin.target(["http/1.1"], mayReuse: true)
        let path = head.target.path
        target.isForwarded = origin.isForwarded(isUpgrade: head.upgrade, by: policy.nextHops)
        let isAbsolute = if case .absolute = head.target { true } else { false }
        return Destination(
            target: target,
            shown: origin.authority,
            scheme: origin.scheme,
            path: path,
            rewritten: target.isForwarded
                ? Self.absolute(origin.authority, path) : isAbsolute ? path : nil,
            request: head.replacing(
                host: origin.keepsHost ? nil : origin.hostText,
                scheme: origin.scheme
            )
        )
    }

    /// The scheme of what servers are asked.
    var askedScheme: Scheme {
        guard case .reverse(let origin) = mode else { return scheme }
        return origin.scheme
    }

    /// What the leaf says that a client is shown which speaks TLS to the listener.
    func leafOfListener(for hello: ClientHelloRecord) -> LeafRequest {
        guard case .reverse(let origin) = mode else { return policy.ownLeaf(at: flow.listener) }
        let names = namesOfListener(hello, [origin.authority.host])
        return names.isEmpty ? policy.ownLeaf(at: flow.listener) : LeafRequest(names: names)
    }

    /// What clients may call the listener, as far as the CA may sign for it: what they asked for, else its address,
    /// before the names of the server.
    func namesOfListener(_ hello: ClientHelloRecord?, _ server: [Host]) -> [Host] {
        let asked = hello?.serverName.flatMap { try? Host($0) }
        let address = (try? Authority(flow.listener))?.host
        var names: [Host] = []
        for host in [asked ?? address].compactMap(\.self) + server
        where !names.contains(host) && policy.interception.permitted(host) {
            names.append(host)
        }
        return names
    }

    /// What the client is shown that was not made here; `nil` where a leaf is to be made.
    var givenIdentity: Identity? {
        guard case .reverse = mode, phase == .securingInbound else { return nil }
        return policy.given.identity(for: flow.clientHello?.serverName)
    }

    /// What tells the sessions of the listener's clients from others.
    var scopeOfListener: String {
        let asked = flow.clientHello?.serverName ?? flow.listener
        switch mode {
        case .reverse(let origin): return "\(origin) \(asked)"
        case .forwarding(let server): return "\(server) \(asked)"
        case .explicit, .transparent: return policy.ownHost.description
        }
    }
}

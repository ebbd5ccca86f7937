import PinholeCrypto
import PinholeHTTP2
import PinholeModel
import PinholeWire

/// Connections to servers.
extension Multiplexer {
    /// Gives waiting exchanges to links that have room, and dials for those that find none.
    mutating func serveWaiting(into commands: inout [MultiplexCommand]) {
        guard !waiting.isEmpty else { return }
        var left: [Lane] = []
        var wanted: [DialTarget: Int] = [:]
        for lane in waiting {
            guard let target = exchanges[lane]?.target else { continue }
            if let id = oldest(for: target) {
                send(lane, on: id, into: &commands)
            } else {
                left.append(lane)
                wanted[target, default: 0] += 1
            }
        }
        waiting = left
        for (target, count) in wanted.sorted(by: {
            $0.key.authority.description < $1.key.authority.description
        }) {
            dial(target, for: count, into: &commands)
        }
    }

    /// The oldest link to `target` that has room.
    private func oldest(for target: DialTarget) -> LinkID? {
        links.lazy.filter { $0.value.hasRoom && $0.value.target == target }.map(\.key).min()
    }

    /// Dials for `count` exchanges.
    ///
    /// A server of HTTP/2 takes all of them on one connection; of a server that is not known yet that is
    /// hoped for.
    private mutating func dial(
        _ target: DialTarget,
        for count: Int,
        into commands: inout [MultiplexCommand]
    ) {
        let present = links.values.filter { $0.target == target && !$0.isDraining }
        let underWay = present.count { $0.state != .ready }
        let isHTTP1 = present.contains { $0.state == .ready && !$0.isHTTP2 }
        // One that is under way may take all of them, and one that speaks HTTP/2 and has no room gets no second
        // connection: its limit is meant.
        guard isHTTP1 || present.isEmpty else { return }
        let room = policy.limits.serverConnections - present.count
        let needed = isHTTP1 ? count - underWay : 1
        for _ in 0..<max(0, min(room, needed)) {
            let id = newLink()
            links[id] = Link(target: target, state: .dialing)
            commands.append(.dial(id, target))
        }
    }

    private mutating func send(_ lane: Lane, on id: LinkID, into commands: inout [MultiplexCommand]) {
        guard let exchange = exchanges[lane], let link = links[id] else { return }
        exchanges[lane]?.link = id
        exchanges[lane]?.attempts += 1
        links[id]?.lanes.insert(lane)
        links[id]?.wasUsed = true
        if link.wasUsed || link.opening?.isReused == true {
            commands.append(.note(lane, .connectionReused))
        } else if let opening = link.opening {
            commands.append(
                .noteTimings(
                    lane,
                    resolve: opening.resolve,
                    connect: opening.connect,
                    tls: link.secured?.handshake.duration
                )
            )
        }
        var request = exchange.request
        if !link.wasUsed, link.opening?.isCrowded == true {
            request = request.adding("Via", policy.pseudonym.entry)
            commands.append(.note(lane, .viaAdded))
        }
        if link.isHTTP2 {
            let authority = request.authority(for: exchange.scheme) ?? exchange.target.authority
            request = request.http2(scheme: exchange.scheme, authority: authority)
        }
        commands.append(.forwardRequest(lane, id, request))
        if let priority = exchange.priority, link.isHTTP2 { commands.append(.prioritize(lane, priority)) }
    }

    // MARK: Answers

    mutating func dialed(
        _ id: LinkID,
        _ server: DialedServer,
        at now: Timestamp,
        into commands: inout [MultiplexCommand]
    ) {
        guard let link = links[id], link.state == .dialing else { return commands.append(.closeLink(id)) }
        flow.server = flow.server ?? server.address
        flow.dials += server.dials
        flow.nextHop = flow.nextHop ?? server.hop
        links[id]?.opening = server
        if let name = link.target.serverName {
            links[id]?.state = .securing
            commands.append(.secure(id, name))
            commands.append(.armHandshake(id, policy.limits.handshakeTimeout))
        } else {
            opened(id, nil, into: &commands)
        }
    }

    /// A link can take requests.
    mutating func opened(_ id: LinkID, _ secured: SecuredServer?, into commands: inout [MultiplexCommand]) {
        let agreed = secured?.handshake.applicationProtocol
        let isHTTP2 = secured == nil ? links[id].map(speaksHTTP2) ?? false : agreed == "h2"
        links[id]?.state = .ready
        links[id]?.isHTTP2 = isHTTP2
        links[id]?.secured = secured
        // RFC 9113 §6.5.2: until SETTINGS come there is no limit; 100 is what it recommends at least.
        links[id]?.capacity = isHTTP2 ? 100 : 1
        commands.append(.open(id, isHTTP2: isHTTP2))
        serveWaiting(into: &commands)
    }

    /// Whether a server speaks HTTP/2 with which nothing is agreed, since there is no TLS.
    ///
    /// It does where the client does, or where that is configured; one that a rule names is assumed to speak HTTP/1.1.
    private func speaksHTTP2(_ link: Link) -> Bool {
        guard link.target.authority == ownServer, !link.target.isForwarded else { return false }
        return mode.origin?.speaksHTTP2 ?? (clientSpeaksHTTP2 && serverName == nil)
    }

    /// The one server of the tunnel; `nil` where requests name their servers.
    private var ownServer: Authority? { authority ?? mode.origin?.authority }

    mutating func dialFailed(
        _ id: LinkID,
        _ failure: DialFailure,
        _ dials: [DialRecord],
        at now: Timestamp,
        into commands: inout [MultiplexCommand]
    ) {
        flow.dials += dials
        guard let link = links.removeValue(forKey: id) else { return }
        failWaiting(for: link.target, .unreachable(failure), at: now, into: &commands)
    }

    mutating func handshakeEnded(
        _ id: LinkID,
        _ record: HandshakeRecord,
        _ chain: JudgedChain,
        at now: Timestamp,
        into commands: inout [MultiplexCommand]
    ) {
        guard let link = links[id], link.state == .securing else { return }
        // Requests to the proxy itself go to any number of servers: no handshake is that of the flow.
        if link.target.authority == ownServer { flow.serverHandshake = record }
        let secured = SecuredServer(handshake: record, chain: chain)
        if record.failure == nil, chain.isAccepted { return opened(id, secured, into: &commands) }
        close(id, into: &commands)
        let page = ServerFaultPage.page(for: secured, authority: link.target.authority)
        failWaiting(for: link.target, page, at: now, into: &commands)
    }

    /// Answers those that wait for a server that has no other connection, ready or to come.
    private mutating func failWaiting(
        for target: DialTarget,
        _ page: ErrorPage,
        at now: Timestamp,
        into commands: inout [MultiplexCommand]
    ) {
        guard !links.values.contains(where: { $0.target == target && !$0.isDraining }) else { return }
        let lanes = waiting.filter { exchanges[$0]?.target == target }
        waiting.removeAll { lanes.contains($0) }
        for lane in lanes { answer(page, lane, at: now, into: &commands) }
    }

    // MARK: Ends

    mutating func drain(_ id: LinkID, into commands: inout [MultiplexCommand]) {
        guard let link = links[id], !link.isDraining else { return }
        links[id]?.isDraining = true
        if link.lanes.isEmpty { close(id, into: &commands) }
        serveWaiting(into: &commands)
    }

    mutating func close(_ id: LinkID, into commands: inout [MultiplexCommand]) {
        guard links.removeValue(forKey: id) != nil else { return }
        commands.append(.closeLink(id))
    }

    mutating func closed(
        _ id: LinkID,
        _ kind: CloseKind,
        at now: Timestamp,
        into commands: inout [MultiplexCommand]
    ) {
        guard let link = links[id] else { return }
        close(id, into: &commands)
        let reason = kind.brokenPromise
        if link.target.authority == ownServer, isMissingCertificate(of: link, kind, isCertain: true) {
            flow.serverHandshake?.failure = HandshakeClassifier.serverAfterHandshake(kind)
        }
        for lane in link.lanes.sorted() {
            guard let exchange = exchanges[lane] else { continue }
            if isResponseHeld(lane), responseIsKept(lane, at: now, into: &commands) { continue }
            if exchange.responseIsComplete {
                // It answered before it had the whole request, and then closed.
                exchanges[lane]?.link = nil
                requestUnwanted(lane, at: now, into: &commands)
            } else if exchange.responseHasBegun {
                exchanges[lane]?.link = nil
                commands.append(.reset(lane, .client, .internalError))
                end(lane, .aborted(by: .server, reason), at: now, into: &commands)
            } else if exchange.isRepeatable, !isMissingCertificate(of: link, kind, isCertain: true) {
                sendAgain(lane, into: &commands)
            } else {
                exchanges[lane]?.link = nil
                let page =
                    isMissingCertificate(of: link, kind, isCertain: false)
                    ? ErrorPage.clientCertificateMissing(exchange.target.authority, reason)
                    : noAnswer(exchange, reason)
                answer(page, lane, at: now, into: &commands)
            }
        }
        serveWaiting(into: &commands)
    }
}

extension Multiplexer {
    /// Whether a server closed since it got no client certificate, which servers of TLS 1.3 say after the handshake.
    ///
    /// - Parameters:
    ///   - link: The connection.
    ///   - kind: How the server closed it.
    ///   - isCertain: Whether its alert has to say so.
    /// - Returns: Whether that is the reason.
    private func isMissingCertificate(of link: Link, _ kind: CloseKind, isCertain: Bool) -> Bool {
        guard link.secured?.handshake.isClientCertificateMissing == true,
            let failure = HandshakeClassifier.serverAfterHandshake(kind)
        else { return false }
        return !isCertain || failure.alert != nil
    }
}

extension Multiplexer.Exchange {
    /// Whether content came where the method gives it no meaning, as in ``RequestHead``.
    var hasUnexpectedContent: Bool { !isBodiless && HTTPMethod.isWithoutContent(request.method) }

    /// Whether the request may be sent twice: idempotent (RFC 9110 §9.2.2), without a body, and not sent
    /// again before.
    var isRepeatable: Bool {
        isBodiless && attempts < 2 && HTTPMethod.isIdempotent(request.method)
    }
}

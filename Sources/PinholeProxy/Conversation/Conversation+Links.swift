import PinholeHTTP2
import PinholeModel
import PinholeRules
import PinholeWire

/// The links: connections to servers.
extension Conversation {
    /// Sends waiting exchanges on links that have room, and dials for the others.
    mutating func serveWaiting() {
        guard !waiting.isEmpty else { return }
        var left: [Lane] = []
        var wanted: [DialTarget: Int] = [:]
        for lane in waiting {
            guard let open = exchanges[lane] else { continue }
            if let id = oldest(for: open.machine.place) {
                send(open, on: id)
            } else {
                left.append(lane)
                wanted[open.machine.target, default: 0] += 1
            }
        }
        waiting = left
        for (target, count) in wanted.sorted(by: {
            $0.key.authority.description < $1.key.authority.description
        }) {
            dial(target, for: count)
        }
    }

    /// Gives idle connections to the pool, and closes those that only this client may use.
    mutating func releaseSpareLinks() {
        for id in links.keys where links[id]?.lanes.isEmpty == true { release(id) }
    }

    /// Gives a connection to the pool if other clients may use it; otherwise closes it.
    mutating func release(_ id: LinkID) {
        guard !clientIsMultiplexed, links[id]?.isSpare == true else { return close(id) }
        links[id] = nil
        commands.append(.driver(.releaseLink(id)))
    }

    /// Gives the connections to servers to the pool, because a client of HTTP/1 sends no requests.
    mutating func rest() {
        if exchanges.isEmpty { for id in links.keys where links[id]?.isSpare == true { release(id) } }
        commands.append(.driver(.arm(.idle, policy.limits.idleTimeout)))
    }

    /// Returns the oldest link to `place` that has room; `nil` if there is none.
    mutating func oldest(for place: Shared<DialTarget>) -> LinkID? {
        links.firstKey { link in
            guard link.hasRoom else { return false }
            guard link.place !== place else { return true }
            guard link.place.value == place.value else { return false }
            // The next exchange with this server then compares two references.
            link.place = place
            return true
        }
    }

    /// Dials for `count` exchanges.
    ///
    /// A server of HTTP/2 takes all of them on one connection. If it is not known yet what the server speaks, one
    /// connection is made in the hope that it speaks HTTP/2.
    mutating func dial(_ target: DialTarget, for count: Int) {
        let present = links.values.filter { $0.target == target && !$0.isDraining }
        let underWay = present.count { $0.state != .ready }
        let isHTTP1 = present.contains { $0.state == .ready && !$0.isMultiplexed }
        // A connection that is being made may take all exchanges. A server of HTTP/2 without room gets no second
        // connection, because that would evade its limit.
        guard isHTTP1 || present.isEmpty else { return }
        // A client of HTTP/1 uses one connection at a time.
        if !clientIsMultiplexed { releaseSpareLinks() }
        let room = policy.limits.serverConnections - present.count
        let needed = isHTTP1 ? count - underWay : 1
        for _ in 0..<max(0, min(room, needed)) {
            let id = newLink()
            links[id] = Link(to: Shared(target), .dialing)
            var wanted = target
            if !clientIsMultiplexed { wanted.mayReuse = !exchanges.values.contains { $0.attempts > 0 } }
            if let hop = policy.nextHops.hop(
                for: target.placed(at: destination, authority).place,
                isPlain: target.isPlain
            ) {
                flow.nextHop = hop.description
            }
            commands.append(.driver(.dial(id, wanted)))
        }
    }

    mutating func send(_ open: OpenExchange, on id: LinkID) {
        guard let link = links[id] else { return }
        let lane = open.lane
        let wasUsed = link.wasUsed
        open.link = id
        open.attempts += 1
        open.isOnHTTP1 = !clientIsMultiplexed && !link.isMultiplexed
        link.lanes.append(lane)
        link.served += 1
        if wasUsed || link.opening?.isReused == true {
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
        var request = open.machine.request
        if !wasUsed, link.opening?.hasManyRequests == true {
            request = request.adding("Via", policy.pseudonym.entry)
            commands.append(.note(lane, .viaAdded))
        }
        if !clientIsMultiplexed {
            if Self.bindsConnection(request) { link.isBound = true }
            commands.append(.driver(.arm(.idle, policy.limits.idleTimeout)))
        }
        if link.isMultiplexed, request.version != .http2 {
            let scheme = open.machine.scheme
            // Host, and not a target in absolute-form, tells the server which of its names is meant.
            let authority =
                request.host?.authority(for: scheme) ?? request.authority(for: scheme)
                ?? open.machine.target.authority
            request = request.http2(scheme: scheme, authority: authority)
        }
        commands.append(.forwardRequest(lane, id, request))
        if let priority = open.machine.priority, link.isMultiplexed {
            commands.append(.prioritize(lane, priority))
        }
    }

    // MARK: Answers

    mutating func dialed(_ id: LinkID, _ server: DialedServer) {
        guard let link = links[id], link.state == .dialing else {
            return commands.append(.driver(.closeLink(id)))
        }
        flow.server = clientIsMultiplexed ? flow.server ?? server.address : server.address
        flow.dials += server.dials
        flow.nextHop = flow.nextHop ?? server.hop
        link.opening = server
        if let secured = server.secured {
            if isOwn(link) { flow.serverHandshake = secured.handshake }
            opened(id, secured)
        } else if let name = link.target.serverName {
            link.state = .securing
            commands.append(.secure(id, name))
            commands.append(.driver(.armHandshake(id, policy.limits.handshakeTimeout)))
        } else {
            opened(id, nil)
        }
    }

    /// Makes a link ready for requests.
    mutating func opened(_ id: LinkID, _ secured: SecuredServer?) {
        guard let link = links[id] else { return }
        let agreed = secured?.handshake.applicationProtocol
        let isHTTP2 = secured == nil ? speaksHTTP2(link) : agreed == "h2"
        link.state = .ready
        link.isMultiplexed = isHTTP2
        link.secured = secured
        // RFC 9113 §6.5.2: there is no limit before SETTINGS arrive. The RFC recommends a limit of at least 100.
        link.capacity = isHTTP2 ? 100 : 1
        commands.append(.open(id, isHTTP2: isHTTP2))
        serveWaiting()
        if !isHTTP2 { releaseClient() }
    }

    /// Whether a server without TLS, with which no protocol was agreed, speaks HTTP/2.
    ///
    /// The server does if the client does, or if the configuration says so. A server that a rule names is assumed to
    /// speak HTTP/1.1.
    private func speaksHTTP2(_ link: Link) -> Bool {
        guard link.target.authority == ownServer, !link.target.isForwarded else { return false }
        return mode.origin?.speaksHTTP2 ?? (clientIsMultiplexed && serverName == nil)
    }

    /// The one server of the connection; `nil` if each request names its server.
    private var ownServer: Authority? { authority ?? mode.origin?.authority }

    /// Whether the handshake of a link belongs in the record of the flow.
    ///
    /// The handshake does not belong there if the link's server is one of many that requests of HTTP/2 to the proxy
    /// itself name, or one that a rule names.
    private func isOwn(_ link: Link) -> Bool {
        if link.target.authority == ownServer { return true }
        return !clientIsMultiplexed && !isLedElsewhere
    }

    /// Whether a rule has replaced the server of an exchange.
    private var isLedElsewhere: Bool {
        exchanges.values.contains { $0.machine.ruling?.plan.isElsewhere == true }
    }

    mutating func dialFailed(_ id: LinkID, _ failure: DialFailure, _ dials: [DialRecord]) {
        flow.dials += dials
        guard let link = links.removeValue(forKey: id) else { return }
        releaseClient()
        failWaiting(for: link.target, .unreachable(failure))
    }

    mutating func handshakeEnded(_ id: LinkID, _ record: HandshakeRecord, _ chain: JudgedChain) {
        guard let link = links[id] else { return }
        if isOwn(link) { flow.serverHandshake = record }
        guard link.state == .securing else {
            // The server asked for a client certificate after the handshake.
            link.secured?.handshake = record
            return
        }
        let secured = SecuredServer(handshake: record, chain: chain)
        if record.failure == nil, chain.isAccepted { return opened(id, secured) }
        close(id)
        releaseClient()
        if record.failure?.cause == .noCommonProtocol, offersHTTP2(to: link) { return }
        for lane in waiting where exchanges[lane]?.machine.target == link.target {
            commands.append(
                .noteTimings(
                    lane,
                    resolve: link.opening?.resolve,
                    connect: link.opening?.connect,
                    tls: record.duration
                )
            )
        }
        let page = ServerFaultPage.page(for: secured, authority: link.target.authority)
        // The client's next connection asks the server again.
        failWaiting(for: link.target, page, closes: true)
    }

    /// Answers the waiting exchanges for a server, unless another connection to the server exists or is being made.
    private mutating func failWaiting(for target: DialTarget, _ page: ErrorPage, closes: Bool = false) {
        guard !links.values.contains(where: { $0.target == target && !$0.isDraining }) else { return }
        let lanes = waiting.filter { exchanges[$0]?.machine.target == target }
        waiting.removeAll { lanes.contains($0) }
        for lane in lanes {
            if !clientIsMultiplexed, closes { commands.append(.closeAfter(lane)) }
            answer(page, lane)
        }
    }

    /// Offers HTTP/2 to a server that may speak nothing else, for the waiting exchanges of a client of HTTP/1.
    ///
    /// - Returns: Whether HTTP/2 is offered; it is not if the server was offered HTTP/2 before.
    private mutating func offersHTTP2(to link: Link) -> Bool {
        guard !offersHTTP2, link.target.authority == ownServer,
            link.target.serverName?.applicationProtocols == ["http/1.1"], !isLedElsewhere
        else { return false }
        offersHTTP2 = true
        let offered = offeredProtocols
        serverName?.applicationProtocols = offered
        if let origin = mode.origin { commands.append(.expectHTTP2(origin.authority)) }
        for lane in exchanges.keys where exchanges[lane]?.machine.target == link.target {
            exchanges[lane]?.machine.target.serverName?.applicationProtocols = offered
        }
        serveWaiting()
        return true
    }

    // MARK: Ends

    mutating func drain(_ id: LinkID) {
        guard let link = links[id], !link.isDraining else { return }
        link.isDraining = true
        if link.lanes.isEmpty { close(id) }
        serveWaiting()
    }

    mutating func close(_ id: LinkID) {
        guard links.removeValue(forKey: id) != nil else { return }
        commands.append(.driver(.closeLink(id)))
    }

    mutating func closed(_ id: LinkID, _ kind: CloseKind) {
        guard let link = links[id] else { return }
        if let lane = link.lanes.first, exchanges[lane]?.isRelayed == true {
            return relayClosed(lane, .server, kind)
        }
        // After its response, a server of HTTP/1 that closes its half may still read the rest of the request.
        let isLingering = link.lanes.contains { exchanges[$0]?.isLingering == true }
        if isLingering, kind.isOrderly, !link.isMultiplexed {
            link.isDraining = true
            return
        }
        close(id)
        releaseClient()
        if link.target.authority == ownServer, isMissingCertificate(of: link, kind, isCertain: true) {
            flow.serverHandshake?.failure = HandshakeClassifier.serverAfterHandshake(kind)
        }
        for lane in link.lanes.sorted() { serverClosed(lane, link, kind) }
        serveWaiting()
    }

    /// Handles the end of the connection between an exchange and its server.
    private mutating func serverClosed(_ lane: Lane, _ link: Link, _ kind: CloseKind) {
        guard let open = exchanges[lane] else { return }
        open.link = nil
        if responseIsKept(lane) { return }
        let isTruncated = open.machine.responseEndsAtClose && kind == .truncated
        let reason =
            isTruncated
            ? "the server closed without close_notify: the body may be incomplete" : kind.brokenPromise
        if open.machine.responseIsComplete {
            // The server sent a complete response before it had the whole request, and then closed.
            requestUnwanted(lane)
        } else if open.machine.responseHasBegun {
            let outcome = Outcome(.aborted, fault: .server, detail: reason)
            breakOff(lane, .internalError, .aborted(by: .server, reason), ending: outcome)
        } else if open.isRepeatable, mayRetry(on: link),
            !isMissingCertificate(of: link, kind, isCertain: true)
        {
            sendAgain(lane)
        } else if mayWantHTTP2(link), offersHTTP2(to: link), open.isRepeatable {
            sendAgain(lane)
        } else {
            let isMissing = isMissingCertificate(of: link, kind, isCertain: false)
            let page =
                isMissing
                ? ErrorPage.clientCertificateMissing(open.machine.target.authority, reason)
                : noAnswer(open.machine.target, reason)
            if isMissing, !clientIsMultiplexed {
                if isOwn(link) {
                    flow.serverHandshake?.failure = HandshakeClassifier.serverAfterHandshake(kind)
                }
                commands += [.record(flow), .closeAfter(lane)]
            }
            answer(page, lane)
        }
    }

    /// Whether a request without a response may be sent again.
    ///
    /// A server may close an idle connection at any time (RFC 9112 §9.3.1).
    private func mayRetry(on link: Link) -> Bool {
        clientIsMultiplexed || link.opening?.isReused == true || link.served > 1
    }

    /// Whether a server may have closed after its handshake because it was not offered HTTP/2.
    ///
    /// Such a server has agreed to no protocol.
    private func mayWantHTTP2(_ link: Link) -> Bool {
        link.secured?.handshake.failure == nil && link.secured != nil
            && link.secured?.handshake.applicationProtocol == nil
    }
}

extension Conversation {
    /// Whether a server closed because it got no client certificate.
    ///
    /// Servers of TLS 1.3 report that after the handshake.
    ///
    /// - Parameters:
    ///   - link: The connection.
    ///   - kind: The way in which the server closed it.
    ///   - isCertain: Whether only an alert that says so counts.
    /// - Returns: Whether the missing client certificate is the reason.
    private func isMissingCertificate(of link: Link, _ kind: CloseKind, isCertain: Bool) -> Bool {
        guard link.secured?.handshake.isClientCertificateMissing == true,
            let failure = HandshakeClassifier.serverAfterHandshake(kind)
        else { return false }
        return !isCertain || failure.alert != nil
    }
}

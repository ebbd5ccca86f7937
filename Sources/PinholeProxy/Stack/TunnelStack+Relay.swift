import PinholeCrypto
import PinholeModel
import PinholeWire

/// Moves messages and bytes from side to side.
extension TunnelStack {
    /// - Returns: Whether anything happened.
    mutating func advanceClient(at now: Timestamp) -> Bool {
        client.unwrap(limit: limits.readSize)
        switch clientMode {
        case .held, .released: return false
        case .greeting: return greetClient(at: now)
        case .negotiating: return negotiateWithClient(at: now)
        case .ignored:
            client.dropInput()
            guard let end = client.socketEnd, !isClientGone else { return false }
            isClientGone = true
            return reportEnd(of: .client, end, at: now)
        case .handshaking: return advanceClientHandshake(at: now)
        case .peeking: return peekClient(at: now)
        case .messages: return readRequests(at: now)
        case .relayed: return relay(from: .client, at: now)
        }
    }

    /// - Returns: Whether anything happened.
    mutating func advanceServer(at now: Timestamp) -> Bool {
        guard server != nil else { return false }
        server?.value.unwrap(limit: limits.readSize)
        switch serverMode {
        case .held:
            server?.value.decrypt(limit: limits.readSize)
            guard server?.value.readable.isEmpty == true else { return serverSpokeUnasked(at: now) }
            return reportEnd(of: .server, server?.value.takeEnd(), at: now)
        case .ignored:
            server?.value.inbox.removeAll()
            return false
        case .greeting, .negotiating, .released: return false
        case .handshaking: return advanceServerHandshake(at: now)
        case .peeking: return peekServer(at: now)
        case .messages: return readResponses(at: now)
        case .relayed: return relay(from: .server, at: now)
        }
    }

    mutating func reportEnd(of side: Side, _ end: CloseKind?, at now: Timestamp) -> Bool {
        guard let end else { return false }
        handle(.closed(side, end), at: now)
        return true
    }

    /// Bytes came inside TLS before any request: another protocol, whose server speaks first, or a server
    /// of HTTP that gives up waiting (408), which must not answer a later request.
    private mutating func serverSpokeUnasked(at now: Timestamp) -> Bool {
        guard tunnel.phase == .exchanging, tunnel.exchange == nil else { return false }
        // Who asks that one gets an answer that says what is wrong.
        if server?.value.sentSettings == true {
            return reportEnd(of: .server, server?.value.takeEnd(), at: now)
        }
        let isHTTP = server?.value.readable.prefix(1) == [0x48]
        handle(isHTTP ? .closed(.server, .orderly) : .serverSpokeFirst, at: now)
        return true
    }

    // MARK: Peeking

    private mutating func peekClient(at now: Timestamp) -> Bool {
        if client.carried.isEmpty { return reportEnd(of: .client, client.takeEnd(), at: now) }
        switch ClientHello.peek(client.carried.slice(), limits: limits) {
        case .needsMore:
            if !wasHelloBegun {
                wasHelloBegun = true
                handshakeStarted = now
                handle(.clientHelloBegan, at: now)
            }
            return reportEnd(of: .client, client.takeEnd(), at: now)
        case .clientHello(let hello):
            clientMode = .held
            serverMode = .held
            handle(.clientHello(hello), at: now)
        case .notTLS, .malformed:
            guard let isPreface = client.beginsHTTP2 else { return false }
            // What is passed through is not waited for.
            let mayRead = !isPreface && tunnel.flow.treatment == .intercepted
            guard let isRequest = mayRead ? client.beginsHTTP1(limit: limits.headBytes) : false else {
                return reportEnd(of: .client, client.takeEnd(), at: now)
            }
            clientMode = .held
            serverMode = .held
            handle(isPreface ? .clientSpeaksHTTP2 : isRequest ? .clientSpeaksHTTP1 : .clientIsNotTLS, at: now)
        }
        return true
    }

    private mutating func peekServer(at now: Timestamp) -> Bool {
        // A pooled TLS connection may get session tickets at any time; that is nobody speaking first.
        if server?.value.tls != nil {
            server?.value.decrypt(limit: limits.readSize)
            return reportEnd(of: .server, server?.value.takeEnd(), at: now)
        }
        // A server of HTTP/2 may send its settings before the client's preface is here (RFC 9113 §3.4).
        guard server?.value.carried.isEmpty == false, server?.value.sentSettings == false else {
            return reportEnd(of: .server, server?.value.takeEnd(), at: now)
        }
        clientMode = .held
        serverMode = .held
        handle(.serverSpokeFirst, at: now)
        return true
    }

    // MARK: Messages

    private mutating func readRequests(at now: Timestamp) -> Bool {
        let limit = inputLimit(.client)
        client.decrypt(limit: limit)
        var moved = false
        // While an exchange is held, what was read of its request does not matter to whoever closes.
        var isDry = requestFlow == .sent && client.readable.isEmpty || requestFlow == .held && tunnel.isHeld
        do throws(HTTP1Failure) {
            while clientMode == .messages, requestFlow != .held, requestFlow != .sent,
                requestFlow != .forwarded || pendingServerOutput < limits.outputHighWater,
                requestFlow != .head || mayReadNextHead, mayPassRequest(at: now)
            {
                guard let element = try client.nextElement() else {
                    isDry = true
                    break
                }
                moved = true
                try take(element, at: now)
            }
        } catch {
            clientMode = .ignored
            handle(.requestFailed(error), at: now)
            return true
        }
        client.noteLines(hasMoved: moved, at: now)
        noteRequestBegan(at: now)
        // An end counts after everything before it was read; a reset counts at once.
        guard clientMode == .messages, !moved, isDry || client.isBroken,
            let closed = client.takeEnd()
        else { return moved }
        handle(.closed(.client, closed), at: now)
        return true
    }

    /// Whether the next request may be read: not while the client leaves that much of earlier answers unread.
    ///
    /// The proxy gives some answers itself, which no server's pace holds back.
    private var mayReadNextHead: Bool { outgoing == nil && client.pendingOutput < limits.outputHighWater }

    /// Tells once a request that a part of its head is there: from now on the rest has to follow.
    private mutating func noteRequestBegan(at now: Timestamp) {
        guard clientMode == .messages, requestFlow == .head, !wasRequestBegun, client.reader.isReadingHead
        else { return }
        wasRequestBegun = true
        handle(.requestBegan, at: now)
    }

    private mutating func take(_ element: HTTP1Element, at now: Timestamp) throws(HTTP1Failure) {
        switch element {
        case .request(let head):
            wasRequestBegun = false
            handle(.request(head), at: now)
        case .body(let count):
            guard requestFlow != .gathered else { return gatherRequest(count, at: now) }
            recorder.tee(count, of: client.readable, owner: .request, at: now, into: &records)
            throttle?.pass(count, from: .client, at: now)
            if heldRequest == nil { passToServer(count, at: now) } else { passChunkToServer(count, at: now) }
        case .framing(let count):
            if heldRequest == nil { passToServer(count, at: now) } else { client.readable.consume(count) }
        case .trailers(let section, let fields):
            recorder.noteTrailers(section, of: .request)
            if let held = heldRequest {
                held.trailers = (section, fields)
                return
            }
            guard requestFlow == .forwarded else { return }
            try server?.value.send { (output: inout ByteQueue) throws(HTTP1Failure) in
                try HTTP1Writer.write(trailers: fields, into: &output)
            }
        case .end:
            guard requestFlow != .gathered else { return endGatheredRequest(at: now) }
            endHeldRequest(at: now)
            requestFlow = requestFlow == .discarded ? .head : .sent
            recorder.noteEnd(of: .request, at: now)
            handle(.requestEnded, at: now)
        case .response: break
        }
    }

    mutating func passToServer(_ count: Int, at now: Timestamp) {
        guard requestFlow == .forwarded, server != nil else { return client.readable.consume(count) }
        do throws(TLSFailure) {
            try server?.value.send(count, from: &client.readable)
        } catch {
            client.readable.consume(min(count, client.readable.count))
            handle(.closed(.server, .reset(error.detail)), at: now)
        }
    }

    private mutating func readResponses(at now: Timestamp) -> Bool {
        let limit = inputLimit(.server)
        server?.value.decrypt(limit: limit)
        var moved = false
        var isDry = false
        var end: CloseKind?
        do throws(HTTP1Failure) {
            while serverMode == .messages, client.pendingOutput < limits.outputHighWater,
                heldResponse?.isPaused != true, mayPassResponse(at: now)
            {
                guard let element = try nextOfServer() else {
                    isDry = true
                    break
                }
                moved = true
                try take(fromServer: element, at: now)
            }
            server?.value.noteLines(hasMoved: moved, at: now)
            guard serverMode == .messages, !moved, isDry else { return moved }
            end = server?.value.takeEnd()
            guard let end else { return false }
            // A body without a length ends here, and is complete only if the end was announced.
            if let element = try endOfServer(), end == .orderly { try take(fromServer: element, at: now) }
            if serverMode == .messages || serverMode == .held { handle(.closed(.server, end), at: now) }
        } catch {
            if let end, error.code == .truncated {
                handle(.closed(.server, end), at: now)
            } else {
                handle(.responseFailed(server?.value.explained(error) ?? error), at: now)
            }
            if serverMode == .messages { serverMode = .ignored }
        }
        return true
    }

    private mutating func nextOfServer() throws(HTTP1Failure) -> HTTP1Element? {
        guard server != nil else { return nil }
        return try server?.value.nextElement()
    }

    private mutating func endOfServer() throws(HTTP1Failure) -> HTTP1Element? {
        guard server != nil else { return nil }
        return try server?.value.lastElement()
    }

    private mutating func take(fromServer element: HTTP1Element, at now: Timestamp) throws(HTTP1Failure) {
        switch element {
        case .response(let head):
            handle(.response(head), at: now)
        case .body(let count):
            if heldResponse?.isGathering == true { return gatherResponse(count, at: now) }
            teeResponse(count, at: now)
            throttle?.pass(count, from: .server, at: now)
            if heldResponse == nil { passToClient(count, at: now) } else { passChunkToClient(count, at: now) }
        case .framing(let count):
            if dechunksResponse || heldResponse != nil {
                server?.value.readable.consume(count)
            } else {
                passToClient(count, at: now)
            }
        case .trailers(let section, let fields):
            if let held = heldResponse {
                held.trailers = (section, fields)
                return
            }
            recorder.noteTrailers(section, of: .response)
            guard !dechunksResponse else { return }
            try client.send { (output: inout ByteQueue) throws(HTTP1Failure) in
                try HTTP1Writer.write(trailers: fields, into: &output)
            }
        case .end:
            if let held = heldResponse, held.isGathering {
                return handle(.responseHeld(held.end(hasTrailers: held.trailers != nil)), at: now)
            }
            endHeldResponse(at: now)
            recorder.noteEnd(of: .response, at: now)
            handle(.responseEnded, at: now)
        case .request: break
        }
    }

    private mutating func teeResponse(_ count: Int, at now: Timestamp) {
        guard let peer = server.take() else { return }
        recorder.tee(count, of: peer.value.readable, owner: .response, at: now, into: &records)
        server = consume peer
    }

    mutating func passToClient(_ count: Int, at now: Timestamp) {
        guard let peer = server.take() else { return }
        do throws(TLSFailure) {
            try client.send(count, from: &peer.value.readable)
            server = consume peer
        } catch {
            server = consume peer
            handle(.closed(.client, .reset(error.detail)), at: now)
        }
    }

    // MARK: Opaque bytes

    /// How many of `count` bytes may pass now.
    private func relayable(_ count: Int, from side: Side, at now: Timestamp) -> Int {
        guard let throttle else { return count }
        return min(count, throttle.allowance(from: side, for: count, at: now))
    }

    private mutating func relay(from side: Side, at now: Timestamp) -> Bool {
        if recorder.isEditing { return relayEdited(from: side, at: now) }
        guard let peer = server.take() else { return false }
        var end: CloseKind?
        var moved = false
        do throws(TLSFailure) {
            switch side {
            case .client:
                client.decrypt(limit: limits.readSize)
                let count = relayable(client.readable.count, from: .client, at: now)
                moved = count > 0 && peer.value.pendingOutput < limits.outputHighWater
                if moved {
                    throttle?.pass(count, from: .client, at: now)
                    recorder.relay(count, of: client.readable, from: .client, at: now, into: &records)
                    try peer.value.send(count, from: &client.readable)
                }
                if client.readable.isEmpty { end = client.takeEnd() }
            case .server:
                peer.value.decrypt(limit: limits.readSize)
                let count = relayable(peer.value.readable.count, from: .server, at: now)
                moved = count > 0 && client.pendingOutput < limits.outputHighWater
                if moved {
                    throttle?.pass(count, from: .server, at: now)
                    recorder.relay(count, of: peer.value.readable, from: .server, at: now, into: &records)
                    try client.send(count, from: &peer.value.readable)
                }
                if peer.value.readable.isEmpty { end = peer.value.takeEnd() }
            }
            server = consume peer
        } catch {
            server = consume peer
            handle(.closed(side.opposite, .reset(error.detail)), at: now)
            return true
        }
        return reportEnd(of: side, end, at: now) || moved
    }

    /// Passes a WebSocket on whose messages are looked at, or that one is to be put into.
    private mutating func relayEdited(from side: Side, at now: Timestamp) -> Bool {
        guard server != nil else { return false }
        let waiting: Int
        let hasRoom: Bool
        if side == .client {
            client.decrypt(limit: limits.readSize)
            waiting = client.readable.count
            hasRoom = pendingServerOutput < limits.outputHighWater
        } else {
            server?.value.decrypt(limit: limits.readSize)
            waiting = server?.value.readable.count ?? 0
            hasRoom = client.pendingOutput < limits.outputHighWater
        }
        let count = hasRoom ? relayable(waiting, from: side, at: now) : 0
        if count > 0 {
            throttle?.pass(count, from: side, at: now)
            passEdited(count, from: side, at: now)
        }
        guard count == waiting, let end = side == .client ? client.takeEnd() : server?.value.takeEnd() else {
            return count > 0
        }
        finishEdited(side, at: now)
        return reportEnd(of: side, end, at: now)
    }
}

extension PeerStack {
    /// Whether what can be read begins as a SETTINGS frame, which opens HTTP/2 (RFC 9113 §3.4), as far as it goes.
    fileprivate var sentSettings: Bool {
        let start = readable.prefix(min(readable.count, 9))
        return zip(start, start.indices).allSatisfy { byte, place in
            switch place {
            case 0: byte == 0
            case 1, 2: true
            case 3: byte == 0x04
            default: byte == 0
            }
        }
    }

    /// Why what a server sent is no response, by name where it is HTTP/2.
    ///
    /// - Parameter failure: What the reader of HTTP/1 found.
    /// - Returns: The reason.
    func explained(_ failure: HTTP1Failure) -> HTTP1Failure {
        guard failure.code == .nul, readable.count >= 9, sentSettings else { return failure }
        // By TLS it would have said so.
        let remedy =
            tls == nil ? " A listener that stands before it as reverse:h2c://HOST asks it in HTTP/2." : ""
        return HTTP1Failure(
            .peer,
            .nul,
            in: .response,
            """
            The server speaks HTTP/2, which it did not agree to: expected a response of HTTP/1.1, but SETTINGS came.\
            \(remedy)
            """
        )
    }

    mutating func nextElement() throws(HTTP1Failure) -> HTTP1Element? {
        if tls != nil { return try reader.next(&plainInbox) }
        return transport == nil ? try reader.next(&inbox) : try reader.next(&carriedInbox)
    }

    mutating func lastElement() throws(HTTP1Failure) -> HTTP1Element? {
        if tls != nil { return try reader.endOfInput(&plainInbox) }
        return transport == nil ? try reader.endOfInput(&inbox) : try reader.endOfInput(&carriedInbox)
    }
}

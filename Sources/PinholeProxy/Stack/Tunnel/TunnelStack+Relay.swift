import PinholeCrypto
import PinholeModel
import PinholeWire

/// Reads the first bytes and the first request of a client, and relays bytes from side to side.
extension TunnelStack {
    /// Processes the bytes of the client.
    ///
    /// - Returns: Whether anything happened.
    mutating func advanceClient(at now: Timestamp) -> Bool {
        client.unwrap(limit: max(limits.readSize, helloRoom))
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

    /// Processes the bytes of the server.
    ///
    /// - Returns: Whether anything happened.
    mutating func advanceServer(at now: Timestamp) -> Bool {
        guard server != nil else { return false }
        server?.peer.value.unwrap(limit: limits.readSize)
        switch serverMode {
        case .held:
            server?.peer.value.decrypt(limit: limits.readSize)
            guard server?.peer.value.readableCount == 0 else { return serverSpokeUnasked(at: now) }
            return reportEnd(of: .server, server?.peer.value.takeEnd(), at: now)
        case .ignored:
            server?.peer.value.inbox.removeAll()
            return false
        case .greeting, .negotiating, .messages, .released: return false
        case .handshaking: return advanceServerHandshake(at: now)
        case .peeking: return peekServer(at: now)
        case .relayed: return relay(from: .server, at: now)
        }
    }

    mutating func reportEnd(of side: Side, _ end: CloseKind?, at now: Timestamp) -> Bool {
        guard let end else { return false }
        handle(.closed(side, end), at: now)
        return true
    }

    /// Handles bytes from the server before any request.
    ///
    /// Either another protocol is spoken, in which the server speaks first, or an HTTP server has given up waiting
    /// (408); that response must not answer a later request.
    private mutating func serverSpokeUnasked(at now: Timestamp) -> Bool {
        guard clientMode == .messages else { return false }
        // The server speaks HTTP/2 here. The next request is answered with a 502 that says so.
        if server?.peer.value.sentSettings == true {
            return reportEnd(of: .server, server?.peer.value.takeEnd(), at: now)
        }
        let isHTTP = server?.peer.value.readable.prefix(1) == [0x48]
        handle(isHTTP ? .closed(.server, .orderly) : .serverSpokeFirst, at: now)
        return true
    }

    // MARK: Peeking

    private mutating func peekClient(at now: Timestamp) -> Bool {
        if client.carried.isEmpty { return reportEnd(of: .client, client.takeEnd(), at: now) }
        switch readHello() {
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
            take(hello, at: now)
        case .malformed(let reason):
            clientMode = .held
            serverMode = .held
            handle(.clientHelloIsMalformed(reason), at: now)
        case .notTLS:
            guard let isPreface = client.beginsHTTP2 else { return false }
            // Tunnels that are passed through do not wait for a whole request line.
            let mayRead = !isPreface && flow.treatment == .intercepted
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
        // A pooled TLS connection may get session tickets at any time; they do not mean that the server speaks first.
        if server?.peer.value.tls != nil {
            server?.peer.value.decrypt(limit: limits.readSize)
            return reportEnd(of: .server, server?.peer.value.takeEnd(), at: now)
        }
        // A server of HTTP/2 may send its SETTINGS before the client's preface has arrived (RFC 9113 §3.4).
        guard server?.peer.value.carried.isEmpty == false, server?.peer.value.sentSettings == false else {
            return reportEnd(of: .server, server?.peer.value.takeEnd(), at: now)
        }
        clientMode = .held
        serverMode = .held
        handle(.serverSpokeFirst, at: now)
        return true
    }

    // MARK: Messages

    /// Reads the first request.
    private mutating func readRequests(at now: Timestamp) -> Bool {
        client.decryptMessages(limits)
        var moved = false
        var isDry = isRequestRead && client.readableCount == 0
        do throws(HTTP1Failure) {
            while clientMode == .messages, !isRequestRead {
                guard let element = try client.nextElement() else {
                    isDry = true
                    break
                }
                moved = true
                take(element, at: now)
            }
        } catch {
            clientMode = .ignored
            handle(.requestFailed(error), at: now)
            return true
        }
        client.noteLines(hasMoved: moved, at: now)
        noteRequestBegan(at: now)
        // An end counts only after everything before it was read, but a reset counts at once.
        guard clientMode == .messages, !moved, isDry || client.isBroken, let closed = client.takeEnd() else {
            return moved
        }
        handle(.closed(.client, closed), at: now)
        return true
    }

    /// Reports once that a part of the head has arrived; from now on the rest must follow in time.
    private mutating func noteRequestBegan(at now: Timestamp) {
        guard clientMode == .messages, !wasRequestBegun, client.reader.isReadingHead else { return }
        wasRequestBegun = true
        handle(.requestBegan, at: now)
    }

    private mutating func take(_ element: HTTP1Element, at now: Timestamp) {
        switch element {
        case .request(let head):
            wasRequestBegun = false
            handle(.request(head), at: now)
        case .end:
            isRequestRead = true
            handle(.requestEnded, at: now)
        // A CONNECT has no body, and a conversation reads the rest of any other request.
        case .body(let count), .framing(let count), .reframed(let count, _):
            client.readable.consume(count)
        case .trailers, .response: break
        }
    }

    // MARK: Opaque bytes

    /// Returns how many of `count` bytes may pass now.
    private func relayable(_ count: Int, from side: Side, at now: Timestamp) -> Int {
        guard let throttle else { return count }
        return min(count, throttle.allowance(from: side, for: count, at: now))
    }

    private mutating func relay(from side: Side, at now: Timestamp) -> Bool {
        guard let server else { return false }
        var end: CloseKind?
        var moved = false
        do throws(TLSFailure) {
            switch side {
            case .client:
                client.decrypt(limit: limits.readSize)
                let count = relayable(client.readableCount, from: .client, at: now)
                moved = count > 0 && server.peer.value.pendingOutput < limits.outputHighWater
                if moved {
                    throttle?.pass(count, from: .client, at: now)
                    try server.peer.value.send(count, from: &client.readable)
                }
                if client.readableCount == 0 { end = client.takeEnd() }
            case .server:
                server.peer.value.decrypt(limit: limits.readSize)
                let count = relayable(server.peer.value.readableCount, from: .server, at: now)
                moved = count > 0 && client.pendingOutput < limits.outputHighWater
                if moved {
                    throttle?.pass(count, from: .server, at: now)
                    try client.send(count, from: &server.peer.value.readable)
                }
                if server.peer.value.readableCount == 0 { end = server.peer.value.takeEnd() }
            }
        } catch {
            handle(.closed(side.opposite, .reset(error.detail)), at: now)
            return true
        }
        return reportEnd(of: side, end, at: now) || moved
    }
}

extension HTTPPeer {
    /// Whether the readable bytes, as far as they go, begin a SETTINGS frame, which opens HTTP/2 (RFC 9113 §3.4).
    var sentSettings: Bool {
        let start = readable.prefix(min(readableCount, 9))
        return zip(start, start.indices).allSatisfy { byte, place in
            switch place {
            case 0: byte == 0
            case 1, 2: true
            case 3: byte == 0x04
            default: byte == 0
            }
        }
    }

    /// Explains why bytes of a server are not a response; names HTTP/2 if the server speaks that.
    ///
    /// - Parameter failure: The failure that the reader of HTTP/1 reported.
    /// - Returns: The failure with the better explanation.
    func explained(_ failure: HTTP1Failure) -> HTTP1Failure {
        guard failure.code == .nul, readableCount >= 9, sentSettings else { return failure }
        // Over TLS, the server would have agreed to HTTP/2 by ALPN.
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
